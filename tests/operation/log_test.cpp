#include "application.hpp"

#include <boost/algorithm/string/predicate.hpp>
#include <boost/algorithm/string/split.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

// These tests read what is written to standard error, also where nobody reads it.

using namespace operation;
namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(log_lines)

namespace {

constexpr auto request = "/api/articles?filters[title][$ne]=confidential&pagination[pageSize]=2";

// The lines with this message, once there are as many.
std::vector<std::string> lines(faults::ApplicationProcess const& application,
                               std::string const& message, std::size_t count) {
    std::vector<std::string> found;
    bool const all = eventually([&] {
        found.clear();
        std::vector<std::string> every;
        auto const log = application.log();
        boost::split(every, log, [](char c) { return c == '\n'; });
        for (auto& line : every)
            if (line.find("message=" + message) != std::string::npos ||
                line.find("\"message\":" + message) != std::string::npos)
                found.push_back(std::move(line));
        return found.size() >= count;
    });
    BOOST_TEST_REQUIRE(all, application.log());
    BOOST_TEST_REQUIRE(found.size() == count, application.log());
    return found;
}

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

std::set<std::string> names_in(json::object const& line) {
    std::set<std::string> names;
    for (auto const& member : line)
        names.emplace(member.key());
    return names;
}

// Standard error of a process: a pipe that nobody reads, `full` or with its other end closed.
std::function<void()> unread_log(bool full) {
    return [full] {
        int ends[2];
        if (::pipe(ends) != 0) return;
        if (full) {
            std::string const much(4'096, '.');
            ::fcntl(ends[1], F_SETFL, O_NONBLOCK);
            while (::write(ends[1], much.data(), much.size()) > 0) {
            }
            ::fcntl(ends[1], F_SETFL, 0);
            if (::dup(ends[0]) < 0) return;
        }
        ::close(ends[0]);
        ::dup2(ends[1], STDERR_FILENO);
    };
}

} // namespace

BOOST_AUTO_TEST_CASE(a_request_leaves_one_line_with_the_documented_fields) {
    faults::ApplicationProcess const application(
        with({"--log-requests=all", "--log-query=true", "--log-format=json",
              "--query-string-limit=1000", "--workers=1"}));
    std::string const parent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    BOOST_TEST(
        application.get(request, {{"HTTP_X_REQUEST_ID", "abc-1"}, {"HTTP_TRACEPARENT", parent}})
            .status == 200);
    BOOST_TEST(application.get("/api/articles?" + std::string(2'000, 'a')).status == 400);
    BOOST_TEST(application.get("/api/secrets").status == 403);
    auto const text = lines(application, "\"request\"", 3);
    auto const line = json::parse(text[0]).as_object();
    BOOST_TEST(line.at("id") == "abc-1");
    BOOST_TEST(line.at("traceparent").as_string() == parent);
    BOOST_TEST(line.at("method") == "GET");
    BOOST_TEST(line.at("path") == "/api/articles");
    BOOST_TEST(line.at("query").as_string().starts_with("filters[title]"));
    BOOST_TEST(line.at("status") == 200);
    BOOST_TEST(line.at("bytes").as_int64() > 100);
    BOOST_TEST(line.at("statements") == 2);
    BOOST_TEST(line.at("rows") == 3);
    BOOST_TEST(line.at("type") == "api::article.article");
    auto const refused = json::parse(text[1]).as_object();
    BOOST_TEST(refused.at("limit") == "query-string-limit");

    auto names = names_in(line);
    names.merge(names_in(refused));
    names.merge(names_in(json::parse(text[2]).as_object()));
    names.insert("shared");      // as coalescing_test.cpp has it
    names.insert("cache");       // where responses are kept
    names.insert("unsent");      // as the unit test of Sending has it
    names.insert("handed-over"); // as hand_over_test.cpp has it
    BOOST_TEST(text_of(names) == text_of(documented("Lines of requests")));
}

BOOST_AUTO_TEST_CASE(each_line_has_a_priority_where_the_journal_reads_it) {
    for (bool const is_journal : {true, false})
        for (auto const* const format : {"json", "logfmt"}) {
            auto settings =
                without_database({"--log-requests=all", std::string("--log-format=") + format});
            settings.process.before_start = [is_journal] {
                struct stat file{};
                ::fstat(STDERR_FILENO, &file);
                auto const stream =
                    std::to_string(file.st_dev) + ':' + std::to_string(file.st_ino + !is_journal);
                ::setenv("JOURNAL_STREAM", stream.c_str(), 1);
            };
            faults::ApplicationProcess const application(settings);
            BOOST_TEST(application.responds("/_health", 204));
            auto posted = fastcgi::get("/_health");
            posted.emplace(posted.begin(), "REQUEST_METHOD", "POST"); // of two the first counts
            BOOST_TEST(application.ask(posted).status == 405);
            BOOST_TEST(application.get("/_ready").status == 503);
            bool const is_json = format == std::string("json");
            std::string const begin = is_json ? "{\"time\":" : "time=";
            auto const requests = lines(application, is_json ? "\"request\"" : "request ", 3);
            constexpr char const* priorities[] = {"<6>", "<4>", "<3>"}; // of 204, 405, 503
            for (std::size_t i = 0; i < 3; ++i)
                BOOST_TEST(requests[i].starts_with((is_journal ? priorities[i] : "") + begin),
                           requests[i]);
        }
}

BOOST_AUTO_TEST_CASE(the_first_line_says_what_is_served_and_where) {
    auto const database = server::setting("POPULATE_TEST_DATABASE");
    auto const socket = database.substr(database.find("socket=") + 7);
    auto const metrics = "unix:" + server::setting("POPULATE_TEST_SOCKET") + ".metrics";
    faults::ApplicationProcess const application(
        with({"--log-format=json", "--metrics-listen=" + metrics}));
    BOOST_TEST(application.responds("/_health", 204));
    auto const line = json::parse(lines(application, "\"starting\"", 1)[0]).as_object();
    BOOST_TEST(line.at("project") == PROJECTS "/ks");
    BOOST_TEST(line.at("database").as_string() == socket);
    BOOST_TEST(line.at("listen").as_string() == application.address());
    BOOST_TEST(line.at("metrics").as_string() == metrics);
    BOOST_TEST(std::regex_match(std::string(line.at("version").as_string()),
                                std::regex("[0-9]+\\.[0-9]+\\.[0-9]+")));
}

BOOST_AUTO_TEST_CASE(queries_and_credentials_stay_out_of_the_log) {
    faults::ApplicationProcess const application(with({"--log-requests=all", "--log-slow=0.001"}));
    application.get(request, {{"HTTP_AUTHORIZATION", "Bearer confidential"}});
    application.get(request);
    lines(application, "request ", 2);
    BOOST_TEST(!contains(application.log(), "confidential"), application.log());
    BOOST_TEST(!contains(application.log(), "636F6E66"), application.log()); // conf, in SQL
}

BOOST_AUTO_TEST_CASE(why_a_request_was_refused_is_reported_in_the_log) {
    struct {
        std::string path, token;
        int status;
        std::string reason;
    } const rows[] = {
        {"/api/secrets", "", 403, "the public role lacks api::secret.secret.find"},
        {"/api/tags", secret("/apiTokens/customNone"), 403,
         "the custom API token \"customNone\" lacks api::tag.tag.find"},
        {"/api/tags", "unheard-of", 401, "it is not a JWT; no API token has its hash either"},
        {"/api/tags", secret("/jwt/carol"), 401, "user 3 is blocked"},
        {"/api/tags", secret("/apiTokens/expired"), 401,
         "the read-only API token \"expired\" has expired"},
    };
    faults::ApplicationProcess const application(
        with_accounts({"--log-requests=failed", "--log-format=json"}));
    std::size_t count = 0;
    for (auto const& [path, token, status, reason] : rows) {
        fastcgi::Parameters headers;
        if (!token.empty()) headers.emplace_back("HTTP_AUTHORIZATION", "Bearer " + token);
        BOOST_TEST(application.get(path, headers).status == status);
        auto const line =
            json::parse(lines(application, "\"request\"", ++count).back()).as_object();
        BOOST_TEST(line.at("status") == status);
        BOOST_TEST(line.at("reason").as_string().starts_with(reason), line.at("reason"));
        if (!token.empty()) BOOST_TEST(!contains(application.log(), token), application.log());
    }
}

// The second request finds the only worker busy for longer than it may wait.
BOOST_AUTO_TEST_CASE(a_line_of_a_server_error_has_its_limit_and_the_cause_that_was_logged) {
    faults::ApplicationProcess const application(
        with({"--log-requests=failed", "--log-format=json", "--workers=1", "--acquire-timeout=2",
              "--statement-timeout=4"}));
    BOOST_TEST_REQUIRE(application.get("/api/tags?filters[id]=1").status == 200);
    auto const owner = server::open_owner();
    server::command(*owner, db::SqlPiece("LOCK TABLES tags WRITE"));
    std::vector<fastcgi::Client> clients;
    for (auto const* const id : {"2", "3"}) {
        clients.push_back(application.connect());
        clients.back().send(
            fastcgi::request(fastcgi::get(std::string("/api/tags?filters[id]=") + id)));
    }
    struct {
        int status;
        std::string limit, reason;
    } const rows[] = {
        {504, "statement-timeout", "database error "},
        {503, "acquire-timeout", "no worker was free within acquire-timeout (2000 ms)"},
    };
    auto const requests = lines(application, "\"request\"", std::size(rows));
    for (std::size_t i = 0; i < std::size(rows); ++i) {
        auto const& [status, limit, reason] = rows[i];
        BOOST_TEST(clients[i].read_response().status == status);
        auto const line = json::parse(requests[i]).as_object();
        BOOST_TEST(line.at("status") == status);
        BOOST_TEST(line.at("limit").as_string() == limit);
        BOOST_TEST(line.at("reason").as_string().starts_with(reason), line);
        BOOST_TEST(line.at("total_ms").to_number<double>() >= 2000, line);
        lines(application, json::serialize(line.at("reason")), 1);
    }
}

// The web server may let anyone read the header.
BOOST_AUTO_TEST_CASE(the_account_of_the_cache_is_named_in_the_log_alone) {
    faults::ApplicationProcess const application(with({"--cache-user=stranger"}));
    std::string const told = "the cache is off: ";
    BOOST_TEST_REQUIRE(eventually([&] { return contains(application.log(), told); }),
                       application.log());
    auto const log = application.log();
    BOOST_TEST(log.find("'stranger'@", log.find(told)) < log.find('\n', log.find(told)), log);
    auto const status = application.get("/_ready").header("Cache-Status");
    BOOST_TEST(contains(status, "refuses the account"), status);
    BOOST_TEST(!contains(status, "stranger"), status);
}

BOOST_AUTO_TEST_CASE(which_requests_leave_a_line_is_an_option) {
    struct {
        std::string option;
        std::size_t lines;
    } const cases[] = {{"none", 0}, {"failed", 1}, {"all", 2}};
    for (auto const& [option, count] : cases) {
        faults::ApplicationProcess const application(with({"--log-requests=" + option}));
        application.get("/api/tags?fields=nope");
        application.get("/api/tags");
        BOOST_TEST_CONTEXT(option) lines(application, "request ", count);
    }
}

BOOST_AUTO_TEST_CASE(a_level_leaves_out_what_matters_less) {
    struct {
        std::string option;
        std::size_t requests;
        bool says_when_it_serves;
    } const cases[] = {{"error", 0, false}, {"warning", 1, false}, {"info", 2, true}};
    for (auto const& [option, count, says_when_it_serves] : cases) {
        faults::ApplicationProcess const application(
            with({"--log-level=" + option, "--log-requests=all"}));
        BOOST_TEST(application.get("/api/tags").status == 200);
        BOOST_TEST(application.get("/api/tags?fields=nope").status == 400);
        BOOST_TEST_CONTEXT(option) {
            lines(application, "request ", count);
            BOOST_TEST(contains(application.log(), "serving at") == says_when_it_serves);
        }
    }
}

// A file of settings that ends with the test.
class Settings {
  public:
    explicit Settings(std::string const& lines) { write(lines); }
    ~Settings() { std::filesystem::remove(path); }
    void write(std::string const& lines) const { std::ofstream(path) << lines; }

    std::string const path = std::filesystem::temp_directory_path() /
                             ("settings." + std::to_string(::getpid()) + ".conf");
};

BOOST_AUTO_TEST_CASE(settings_of_the_log_are_read_again_at_a_reload_and_others_are_named) {
    Settings const settings("log-requests = none\nmax-limit = 10\n");
    faults::ApplicationProcess const application(with({"--config=" + settings.path}));
    BOOST_TEST(application.get("/api/tags").status == 200);
    auto const response = application.get("/api/articles?fields[0]=createdAt").body;
    settings.write("log-requests = all\nmax-limit = 11\ncors-max-age = 3600\n"
                   "time-zone = Asia/Tokyo\n");
    application.signal(SIGHUP);
    std::string const expected = "take effect after a restart: cors-max-age, max-limit, time-zone";
    BOOST_TEST_REQUIRE(eventually([&] { return contains(application.log(), expected); }),
                       application.log());
    BOOST_TEST_REQUIRE(eventually([&] {
        application.get("/api/tags?sort=id");
        return contains(application.log(), "message=request ");
    }));
    BOOST_TEST(application.get("/api/articles?fields[0]=createdAt").body == response);
    settings.write("log-requests = none\nmax-limit = ten\n");
    application.signal(SIGHUP);
    BOOST_TEST_REQUIRE(eventually([&] { return contains(application.log(), "cannot be read"); }),
                       application.log());
    BOOST_TEST(application.get("/api/tags").status == 200);
}

BOOST_AUTO_TEST_CASE(a_setting_that_has_ended_is_named_at_the_start) {
    faults::ApplicationProcess const application(with({"--processes=2"}));
    BOOST_TEST(application.responds("/api/tags", 200));
    BOOST_TEST(contains(application.log(), "level=warning"), application.log());
    BOOST_TEST(contains(application.log(), "a setting has ended and does nothing: processes; "),
               application.log());
}

BOOST_AUTO_TEST_CASE(an_id_is_taken_over_if_it_can_do_no_harm) {
    faults::ApplicationProcess const application(with({"--log-requests=all"}));
    std::string const ids[] = {"0aZ.-_", "a b", "a\nb", std::string(65, 'a'), "\"", ""};
    for (auto const& id : ids)
        application.get("/_health", {{"HTTP_X_REQUEST_ID", id}});
    auto const found = lines(application, "request ", std::size(ids));
    std::set<std::string> different;
    for (auto const& line : found) {
        std::smatch id;
        BOOST_TEST_REQUIRE(std::regex_search(line, id, std::regex(" id=([0-9A-Za-z._-]+) ")), line);
        different.insert(id[1]);
    }
    BOOST_TEST(different.size() == std::size(ids));
    BOOST_TEST(different.contains("0aZ.-_"));
}

BOOST_AUTO_TEST_CASE(an_id_of_the_web_server_is_preferred_to_that_of_a_client) {
    faults::ApplicationProcess const application(with({"--log-requests=all"}));
    std::string const id = "0123456789abcdef0123456789abcdef";
    struct {
        std::string from_server, logged;
    } const rows[] = {{id, id},
                      {id.substr(1), "of-a-client"},
                      {id + "0", "of-a-client"},
                      {"0123456789ABCDEF0123456789ABCDEF", "of-a-client"},
                      {std::string(31, '0') + "\n", "of-a-client"}};
    std::size_t count = 0;
    for (auto const& [from_server, logged] : rows) {
        application.get("/_health",
                        {{"REQUEST_ID", from_server}, {"HTTP_X_REQUEST_ID", "of-a-client"}});
        auto const line = lines(application, "request ", ++count).back();
        BOOST_TEST(contains(line, " id=" + logged + " "), line);
    }
}

BOOST_AUTO_TEST_CASE(a_traceparent_is_logged_if_it_is_one) {
    faults::ApplicationProcess const application(with({"--log-requests=all"}));
    std::string const trace = "4bf92f3577b34da6a3ce929d0e0e4736", parent = "00f067aa0ba902b7";
    struct {
        std::string text;
        bool is_one;
    } const rows[] = {
        {"00-" + trace + "-" + parent + "-01", true},
        {"cc-" + trace + "-" + parent + "-00", true},
        {"", false},
        {"ff-" + trace + "-" + parent + "-01", false},
        {"00-" + std::string(32, '0') + "-" + parent + "-01", false},
        {"00-" + trace + "-" + std::string(16, '0') + "-01", false},
        {"00-" + trace + "-" + parent + "-1", false},
        {"00-" + trace + "-" + parent + "-01-", false},
        {"00_" + trace + "-" + parent + "-01", false},
        {"00-" + trace + "-00F067AA0BA902B7-01", false},
        {"00-" + trace + "-" + parent + "-0\n", false},
    };
    std::size_t count = 0;
    for (auto const& [text, is_one] : rows) {
        application.get("/_health", {{"HTTP_TRACEPARENT", text}});
        auto const line = lines(application, "request ", ++count).back();
        BOOST_TEST(contains(line, " traceparent=" + text + " ") == is_one, line);
        BOOST_TEST(contains(line, "traceparent") == is_one, line);
    }
}

BOOST_AUTO_TEST_CASE(any_bytes_of_a_path_leave_one_sound_line) {
    faults::ApplicationProcess const application(with({"--log-requests=all", "--log-format=json"}));
    for (std::string const path : {"/a b", "/\"\\", "/\xFF", "/a\nb\x01", "/=", "/%0a"})
        application.get(path);
    for (auto const& line : lines(application, "\"request\"", 6))
        BOOST_TEST(json::parse(line).as_object().contains("path"), line);
}

BOOST_AUTO_TEST_CASE(a_slow_request_reports_its_statements_without_values) {
    faults::ApplicationProcess const application(with({"--log-slow=0.001"}));
    // A dozen statements, which no machine answers in a millisecond.
    auto const slow = std::string(request) + "&populate=*";
    BOOST_TEST(application.get(slow, {{"HTTP_X_REQUEST_ID", "slow-1"}}).status == 200);
    BOOST_TEST(contains(lines(application, "\"slow request\"", 1)[0], "id=slow-1"));
    std::string const log = application.log();
    auto const statement = [&](std::string const& what) {
        return std::regex_search(
            log, std::regex("message=\"statement of a slow request\" id=slow-1 " + what));
    };
    BOOST_TEST(statement("node=0 rows=2 ms=[0-9.]+ sql=\"SELECT .* <> \\?"), log);
    BOOST_TEST(statement("node=1 rows=[0-9]+ ms=[0-9.]+ sql=\"SELECT .* IN \\(\\?\\)"), log);
    BOOST_TEST(statement("rows=1 ms=[0-9.]+ sql=\"SELECT COUNT"), log);
}

BOOST_AUTO_TEST_CASE(all_lines_of_a_request_have_one_id_also_where_none_was_passed_on) {
    faults::ApplicationProcess const application(with({"--log-slow=0.001", "--log-requests=all"}));
    application.get(std::string(request) + "&populate=*");
    std::regex const id(" id=([0-9a-f]+) ");
    auto const id_of = [&](std::string const& message) {
        auto const line = lines(application, message, 1)[0];
        std::smatch found;
        BOOST_TEST_REQUIRE(std::regex_search(line, found, id), line);
        return found[1].str();
    };
    BOOST_TEST(id_of("\"slow request\"") == id_of("request "));
}

BOOST_AUTO_TEST_CASE(the_same_database_error_is_reported_at_most_once_a_second) {
    faults::ApplicationProcess const application(without_database({}));
    auto const start = std::chrono::steady_clock::now();
    constexpr std::size_t requests = 40;
    for (std::size_t i = 0; i < requests; ++i)
        application.get("/api/articles");
    auto const log = application.log();
    auto const seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - start);
    std::size_t said = 0;
    for (std::size_t at = 0; (at = log.find("database error 2002", at)) != log.npos; ++at)
        ++said;
    // One of them is told when it starts.
    BOOST_TEST(said >= 1U);
    BOOST_TEST(said <= static_cast<std::size_t>(seconds.count()) + 3, log);
}

BOOST_AUTO_TEST_CASE(a_log_that_nobody_reads_holds_nothing_up) {
    for (bool const full : {true, false}) {
        auto settings = with({"--log-requests=all", "--workers=1"});
        settings.process.before_start = unread_log(full);
        faults::ApplicationProcess application(settings);
        for (int i = 0; i < 20; ++i)
            BOOST_TEST(application.get("/api/tags").status == 200, (full ? "full" : "closed"));
        application.signal(SIGTERM);
        BOOST_TEST(application.exit_code().value_or(-1) == 0);
    }
}

BOOST_AUTO_TEST_SUITE_END()
