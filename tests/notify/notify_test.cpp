#include "tests/database/server.hpp"
#include "tests/faults/application_process.hpp"
#include "tests/unit/fcgi/client/stand_in.hpp"

#include "db/binlog/change_log.hpp"
#include "db/binlog/tag_names.hpp"
#include "db/mysql/table_relations.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// The command notify, with the example in a database of its own and a stand-in for Varnish. It
// needs tests/cache/with-server and with-example.

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using db::RowTag;
using db::SqlPiece;
using stand_in::eventually;
using stand_in::StandIn;
using Kind = RowTag::Kind;

BOOST_AUTO_TEST_SUITE(notify)

namespace {

constexpr auto secret = "a secret of sixteen bytes or more";

fs::path new_folder() {
    std::string name = fs::temp_directory_path() / "notify.XXXXXX";
    BOOST_TEST_REQUIRE(::mkdtemp(name.data()) != nullptr);
    return name;
}

// The program in a process of its own.
class Program {
  public:
    Program(std::vector<std::string> words, fs::path log) : log_(std::move(log)) {
        process_ = ::fork();
        if (process_ != 0) return;
        auto const null = ::open("/dev/null", O_RDONLY);
        auto const file = ::open(log_.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        ::dup2(null, 0);
        ::dup2(file, 1);
        ::dup2(file, 2);
        std::vector<char*> arguments;
        for (auto& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        ::execv(arguments[0], arguments.data());
        ::_exit(127);
    }
    Program(Program const&) = delete;
    ~Program() {
        if (process_ > 0) end(SIGTERM);
    }

    // 128 + signal if one killed it.
    int end(int signal) {
        ::kill(process_, signal);
        return wait();
    }
    int wait() {
        int status = 0;
        ::waitpid(std::exchange(process_, -1), &status, 0);
        return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    }

  private:
    fs::path const log_;
    pid_t process_ = -1;
};

struct Notifying {
    Notifying() {
        write_secret("secret", secret);
        write_secret("signature", "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=");
        fs::copy(server::setting("POPULATE_TEST_SCHEMA"), folder / "project",
                 fs::copy_options::recursive);
        sql("DELETE FROM tags WHERE id > 9000");
        sql("INSERT INTO tags (id, name, weight) VALUES (9001, 'one', 1), (9002, 'two', 2)");
        start();
        BOOST_TEST(is_told("site"));
    }
    void write_secret(std::string const& name, std::string const& text) {
        std::ofstream(folder / name) << text << '\n';
        ::chmod((folder / name).c_str(), 0600);
    }
    ~Notifying() {
        program.reset();
        fs::remove_all(folder);
    }

    void start() {
        program.emplace(
            std::vector<std::string>{
                PROGRAM, "notify", "--schema=" + (folder / "project").string(),
                "--database=" + server::setting("POPULATE_TEST_DATABASE"),
                "--cache-user=" + server::setting("CACHE_USER"),
                "--cache-password-file=" + server::setting("CACHE_PASSWORD_FILE"),
                "--surrogate-key-secret-file=" + (folder / "secret").string(),
                "--notify-target=varnish=http://" + varnish.address() + "/,webhook=http://" +
                    site.address() + "/changed",
                "--notify-secret-file=" + (folder / "signature").string(),
                "--notify-state=" + state.string(), "--notify-metrics-file=" + metrics.string()},
            folder / "log");
    }
    int end(int signal) { return program->end(signal); }

    void sql(SqlPiece statement) { server::command(*owner, statement); }

    std::string log() const {
        std::ifstream file(folder / "log");
        return {std::istreambuf_iterator<char>(file), {}};
    }

    // What Varnish has acknowledged since forget().
    std::vector<StandIn::Received> requests() const {
        auto requests = varnish.received();
        requests.erase(requests.begin(), requests.begin() + static_cast<std::ptrdiff_t>(forgotten));
        std::erase_if(requests, [](auto const& request) { return !request.acknowledged; });
        return requests;
    }
    void forget() { forgotten = varnish.received().size(); }
    // Names that it was told, the first time or again.
    std::set<std::string> told() const {
        std::set<std::string> told;
        for (auto const& request : requests()) {
            std::istringstream words(request.headers.at("xkey-purge"));
            told.insert(std::istream_iterator<std::string>(words), {});
        }
        return told;
    }
    std::size_t times_site() const {
        return static_cast<std::size_t>(std::ranges::count_if(requests(), [&](auto const& request) {
            return request.headers.at("xkey-purge") == names.of_all();
        }));
    }
    bool is_told(std::string const& what) {
        auto const name = what == "site" ? names.of_all() : name_of(what);
        bool const found = eventually([&] { return told().contains(name); });
        if (!found) BOOST_TEST_MESSAGE(log());
        return found;
    }
    // As soon as changes are told by rows again.
    bool is_told_after_a_while(std::string const& what) {
        forget();
        return eventually([&] {
            sql("UPDATE tags SET weight = weight + 1 WHERE id = 9001");
            std::this_thread::sleep_for(100ms);
            return told().contains(name_of(what));
        });
    }
    bool is_not_told(std::string const& what) const { return !told().contains(name_of(what)); }

    // `tags`, `tags+`, `tags-`, `tags#weight`, `tags.id=7`
    std::string name_of(std::string const& what) const {
        auto const end = what.find_first_of("+-#.");
        auto const name = what.substr(0, end);
        auto const* const table = changes.table(name);
        if (end == what.npos) return names.of(*table);
        auto const column_of = [&](std::string const& column) {
            return relations.find(db::table_name(name))->columns.find(column)->second;
        };
        if (what[end] == '+') return names.of({table, Kind::inserted});
        if (what[end] == '-') return names.of({table, Kind::deleted});
        if (what[end] == '#')
            return names.of({table, Kind::column, column_of(what.substr(end + 1))});
        auto const equals = what.find('=');
        auto const column = column_of(what.substr(end + 1, equals - end - 1));
        return names.of(
            {table, Kind::value, column, db::tag_value(std::stoull(what.substr(equals + 1)))});
    }

    // Of Varnish, if it is one of targets; -1: it is not there.
    double metric(std::string const& name) const {
        std::ifstream file(metrics);
        for (std::string line; std::getline(file, line);)
            if (line.starts_with("populate_notify_" + name) &&
                (line.find('{') == line.npos || line.find("\"varnish") != line.npos))
                return std::stod(line.substr(line.rfind(' ')));
        return -1;
    }

    // Until all was told, the second time, too, and the state says so: it has a digest.
    void await_settled() {
        BOOST_TEST(eventually([&] {
            std::ifstream file(state);
            std::string const text{std::istreambuf_iterator<char>(file), {}};
            return text.find("\"columns\":\"\"") == text.npos &&
                   text.find("\"columns\":") != text.npos;
        }));
    }
    static void replace(fs::path const& path, std::string const& old, std::string const& by) {
        std::ifstream file(path);
        std::string text{std::istreambuf_iterator<char>(file), {}};
        auto const found = text.find(old);
        BOOST_TEST_REQUIRE(found != text.npos);
        std::ofstream(path) << text.replace(found, old.size(), by);
    }

    fs::path const folder = new_folder();
    fs::path const state = folder / "state";
    fs::path const metrics = folder / "notify.prom";
    StandIn varnish, site;
    std::size_t forgotten = 0;
    db::TagNames const names{secret};
    mutable db::ChangeLog changes{{.url = server::reader()}, [](auto const&) {}};
    std::unique_ptr<db::Connection> owner = server::open(server::owner(), db::owner_session);
    db::TableRelations const relations = db::TableRelations::read(*owner).value();
    std::optional<Program> program;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_cache_is_told_what_each_write_changes, Notifying) {
    struct {
        SqlPiece statement;
        std::vector<std::string> told, not_told;
    } const table[] = {
        {"INSERT INTO tags (id, name) VALUES (9003, 'three')",
         {"tags", "tags+", "tags.id=9003"},
         {"tags-", "tags#weight", "tags.id=9001"}},
        {"UPDATE tags SET weight = 5 WHERE id = 9001",
         {"tags#weight", "tags.id=9001"},
         {"tags-", "tags#name", "tags.id=9002"}},
        {"DELETE FROM tags WHERE id = 9003", {"tags-"}, {"tags#name", "tags.id=9002"}},
    };
    for (auto const& [statement, told, not_told] : table) {
        sql(statement);
        for (auto const& what : told)
            BOOST_TEST(is_told(what), what);
        for (auto const& what : not_told)
            BOOST_TEST(is_not_told(what), what);
    }
}

BOOST_FIXTURE_TEST_CASE(a_site_is_told_which_entries_changed_and_of_drafts_nothing, Notifying) {
    sql("UPDATE tags SET weight = 5 WHERE id = 9001");
    sql("INSERT INTO articles (id, title) VALUES (9001, 'draft')");
    sql("INSERT INTO articles (id, title, published_at) VALUES (9002, 'published', NOW())");
    sql("UPDATE articles SET published_at = NULL WHERE id = 9002"); // it is gone from the site
    sql("DELETE FROM articles WHERE id >= 9001");
    sql("UPDATE tags SET weight = 6 WHERE id = 9002");
    auto const bodies = [&] {
        std::string all;
        for (auto const& request : site.received())
            all += request.body;
        return all;
    };
    auto const tells = [&](std::string const& type, int id) {
        return bodies().find("{\"type\":\"" + type + "\",\"id\":" + std::to_string(id) + "}") !=
               std::string::npos;
    };
    BOOST_TEST(eventually([&] { return tells("api::tag.tag", 9002); }), bodies());
    BOOST_TEST(tells("api::tag.tag", 9001));
    BOOST_TEST(tells("api::article.article", 9002));
    BOOST_TEST(!tells("api::article.article", 9001));
}

BOOST_FIXTURE_TEST_CASE(a_write_is_told_by_names_of_the_responses_that_it_changes, Notifying) {
    faults::ApplicationProcess const serving(
        {.database = server::setting("POPULATE_TEST_DATABASE"),
         .options = {"--cache=exact", "--cache-user=" + server::setting("CACHE_USER"),
                     "--cache-password-file=" + server::setting("CACHE_PASSWORD_FILE"),
                     "--surrogate-key=xkey",
                     "--surrogate-key-secret-file=" + (folder / "secret").string()},
         .schema = (folder / "project").string(),
         .is_patient = true});
    auto const names_of = [&](std::string const& uri) {
        std::string text;
        BOOST_TEST(eventually([&] {
                       auto const answer = serving.get(uri, {{"POPULATE_EDGE", "1"}});
                       return !(text = answer.header("xkey")).empty();
                   }),
                   uri);
        std::istringstream words(text);
        std::set<std::string> found{std::istream_iterator<std::string>(words), {}};
        BOOST_TEST(found.erase(names.of_all()) == 1U);
        return found;
    };
    struct {
        SqlPiece statement;
        std::vector<std::string> changed, not_changed;
    } const table[] = {
        {"UPDATE articles SET title = 'other' WHERE id = 2",
         {"/api/articles/2", "/api/articles?pagination[pageSize]=100"},
         {"/api/articles/3", "/api/categories", "/api/tags"}},
        {"INSERT INTO tags (id, name) VALUES (9003, 'three')",
         {"/api/tags"},
         {"/api/articles/2", "/api/categories"}},
        {"INSERT INTO articles_tags_links (article_id, tag_id) VALUES (2, 9003)",
         {"/api/articles/2?populate=tags", "/api/articles?populate=*"},
         {"/api/articles/2", "/api/articles/3?populate=tags", "/api/tags"}},
        {"DELETE FROM tags WHERE id = 9003",
         {"/api/articles/2?populate=tags", "/api/tags"},
         {"/api/articles/3?populate=tags", "/api/categories"}},
    };
    for (auto const& [statement, changed, not_changed] : table) {
        std::map<std::string, std::set<std::string>> responses;
        for (auto const* uris : {&changed, &not_changed})
            for (auto const& uri : *uris)
                responses[uri] = names_of(uri);
        std::this_thread::sleep_for(2s); // what was told before is told again
        forget();
        sql(statement);
        auto const is_purged = [&](std::string const& uri) {
            auto const told_now = told();
            return std::ranges::any_of(responses[uri],
                                       [&](auto const& name) { return told_now.contains(name); });
        };
        for (auto const& uri : changed)
            BOOST_TEST(eventually([&] { return is_purged(uri); }), uri);
        for (auto const& uri : not_changed)
            BOOST_TEST(!is_purged(uri), uri);
    }
}

BOOST_FIXTURE_TEST_CASE(nothing_is_lost_however_often_it_ends, Notifying) {
    await_settled();
    for (int const signal : {SIGTERM, SIGKILL, SIGKILL}) {
        forget();
        sql("UPDATE tags SET weight = weight + 1 WHERE id = 9001");
        if (signal == SIGKILL) BOOST_TEST(is_told("tags.id=9001"));
        auto const before = Clock::now();
        BOOST_TEST(end(signal) == (signal == SIGTERM ? 0 : 128 + SIGKILL));
        BOOST_TEST((Clock::now() - before < 2s));
        sql("UPDATE tags SET weight = weight + 1 WHERE id = 9002");
        start();
        BOOST_TEST(is_told("tags.id=9001"));
        BOOST_TEST(is_told("tags.id=9002"));
    }
    BOOST_TEST(times_site() == 0U);
    struct stat status{};
    ::stat(state.c_str(), &status);
    BOOST_TEST((status.st_mode & 0777) == 0600U);
}

BOOST_FIXTURE_TEST_CASE(everything_may_have_changed_where_it_cannot_go_on, Notifying) {
    struct {
        char const* what;
        std::function<void()> happens;
    } const table[] = {
        {"no state", [&] { fs::remove(state); }},
        {"a broken state", [&] { std::ofstream(state) << "{"; }},
        {"a state of another secret", [&] { replace(state, names.of_all(), "AAAAAAAA"); }},
        {"a state of another server", [&] { replace(state, "hostname=", "hostname=other"); }},
        {"other columns", [&] { sql("ALTER TABLE tags ADD more INT AFTER id"); }},
        {"columns that were other ones meanwhile", [&] { sql("ALTER TABLE tags DROP more"); }},
        {"a log that is gone",
         [&] {
             sql("FLUSH BINARY LOGS");
             sql("FLUSH BINARY LOGS");
             sql("PURGE BINARY LOGS BEFORE '2037-01-01'");
         }},
    };
    await_settled();
    end(SIGTERM);
    fs::copy_file(state, folder / "settled");
    for (auto const& [what, happens] : table) {
        fs::copy_file(folder / "settled", state, fs::copy_options::overwrite_existing);
        forget();
        happens();
        start();
        BOOST_TEST(is_told("site"), what);
        BOOST_TEST(is_told_after_a_while("tags.id=9001"), what);
        end(SIGTERM);
    }
    start();
}

BOOST_FIXTURE_TEST_CASE(what_is_not_told_by_rows_is_everything, Notifying) {
    struct {
        char const* what;
        SqlPiece statement;
    } const table[] = {
        {"DDL", "ALTER TABLE tags ADD more INT AFTER name"},
        {"permissions", "UPDATE up_permissions SET updated_at = NOW()"},
        {"settings",
         "UPDATE strapi_core_store_settings SET value = value, environment = 'x' LIMIT 1"},
    };
    for (auto const& [what, statement] : table) {
        BOOST_TEST(is_told_after_a_while("tags.id=9001"));
        forget();
        sql(statement);
        BOOST_TEST(is_told("site"), what);
        // Rows are read as the tables are now.
        BOOST_TEST(is_told_after_a_while("tags.id=9001"), what);
    }
    sql("ALTER TABLE tags DROP more");
}

BOOST_FIXTURE_TEST_CASE(a_deploy_is_everything_and_once_more_when_the_server_has_it, Notifying) {
    await_settled();
    forget();
    auto const before = Clock::now();
    auto const file = folder / "project/src/api/tag/content-types/tag/schema.json";
    replace(file, "\"attributes\": {", "\"attributes\": { ");
    BOOST_TEST(is_told("site"));
    BOOST_TEST((Clock::now() - before < 3s));
    BOOST_TEST(eventually([&] { return times_site() >= 3; })); // each is told twice
    BOOST_TEST((Clock::now() - before > 9s));
}

BOOST_FIXTURE_TEST_CASE(a_database_that_is_killed_is_followed_further, Notifying) {
    await_settled();
    forget();
    auto const pid = [] {
        pid_t process = 0;
        std::ifstream(server::setting("SERVER_PID_FILE")) >> process;
        return process;
    };
    for (int i = 0; i < 2; ++i) {
        forget();
        sql("UPDATE tags SET weight = weight + 1 WHERE id = 9001");
        ::kill(pid(), SIGKILL);
        server::wait_until([&, process = pid()] { return ::kill(process, 0) != 0; });
        BOOST_TEST_REQUIRE(std::system(server::setting("SERVER_START").c_str()) == 0);
        owner = server::open(server::owner(), db::owner_session);
        sql("UPDATE tags SET weight = weight + 1 WHERE id = 9002");
        BOOST_TEST(is_told("tags.id=9001"));
        BOOST_TEST(is_told("tags.id=9002"));
    }
    BOOST_TEST(times_site() == 0U);
}

BOOST_FIXTURE_TEST_CASE(a_target_that_is_down_is_told_when_it_is_there_again, Notifying) {
    await_settled();
    forget();
    varnish.set({.status = 503});
    sql("UPDATE tags SET weight = weight + 1 WHERE id = 9001");
    BOOST_TEST(eventually([&] { return log().find("does not take") != std::string::npos; }));
    end(SIGKILL); // its state is that of before
    sql("FLUSH BINARY LOGS");
    start();
    sql("UPDATE tags SET weight = weight + 1 WHERE id = 9002");
    std::this_thread::sleep_for(2s);
    BOOST_TEST(told().empty());
    BOOST_TEST(eventually([&] { return metric("failed_total") > 0; }));
    BOOST_TEST(metric("following") == 1);
    BOOST_TEST(metric("queued_names") > 0);
    BOOST_TEST(metric("lag_seconds") > 0);
    varnish.set({});
    BOOST_TEST(is_told("tags.id=9001"));
    BOOST_TEST(is_told("tags.id=9002"));
    BOOST_TEST(times_site() == 0U);
    BOOST_TEST(eventually([&] { return metric("sent_total") > 0 && metric("lag_seconds") == 0; }));
}

BOOST_AUTO_TEST_SUITE_END()
