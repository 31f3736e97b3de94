#include "fcgi/options/options.hpp"

#include "fcgi/options/option_sources.hpp"
#include "parser/base/units.hpp"
#include "tests/unit/fcgi/check/folder.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <tuple>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(options)

namespace {

using parser::Limits;

// Takes what is written to standard error meanwhile.
class Said {
  public:
    Said() : before_(std::cerr.rdbuf(text_.rdbuf())) {}
    ~Said() { std::cerr.rdbuf(before_); }
    std::string text() const { return text_.str(); }

  private:
    std::ostringstream text_;
    std::streambuf* before_;
};

// Without a file, and in an environment without variables of ours but those given.
struct Program {
    std::vector<std::pair<std::string, std::string>> variables = {};
    std::string file = {};
    std::vector<std::string> arguments = {};

    fcgi::ParsedOptions parsed() const {
        auto const path = std::filesystem::temp_directory_path() /
                          ("populate-options." + std::to_string(::getpid()));
        std::vector<std::string> words{"populate-fcgi"};
        if (!file.empty()) {
            std::ofstream(path) << file;
            words.insert(words.end(), {"--config", path});
        }
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char const*> argv;
        for (auto const& word : words)
            argv.push_back(word.c_str());
        for (auto const& [name, value] : variables)
            ::setenv(name.c_str(), value.c_str(), 1);
        auto result = fcgi::parse_options(static_cast<int>(argv.size()), argv.data());
        for (auto const& [name, value] : variables)
            ::unsetenv(name.c_str());
        std::filesystem::remove(path);
        return result;
    }
    Limits limits() const {
        auto const result = parsed();
        BOOST_TEST(!result.exit);
        return result.options.limits;
    }
};

// The values of all limits, in the order of their rows.
std::vector<std::size_t> values(Limits const& limits) {
    std::vector<std::size_t> list;
    for (auto const& row : parser::amount_limits)
        list.push_back(limits.*row.member);
    for (auto const& row : parser::time_limits)
        list.push_back(static_cast<std::size_t>((limits.*row.member).count()));
    return list;
}

std::vector<std::string> limit_options() {
    std::vector<std::string> list;
    for (auto const& row : parser::amount_limits)
        list.emplace_back(row.option);
    for (auto const& row : parser::time_limits)
        list.emplace_back(row.option);
    return list;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_limit_is_set_by_the_option_of_its_row_and_no_other_with_it) {
    auto const names = limit_options();
    auto const defaults = values(Limits{});
    BOOST_TEST(values(Program{}.limits()) == defaults);
    for (std::size_t i = 0; i < names.size(); ++i) {
        bool const is_time = i >= std::size(parser::amount_limits);
        auto expected = defaults;
        expected[i] = 7;
        Program const sources[] = {
            {.arguments = {"--" + names[i], is_time ? "7ms" : "7"}},
            {.variables = {{fcgi::environment_name(names[i]), is_time ? "7ms" : "7"}}},
            {.file = names[i] + " = " + (is_time ? "7ms" : "7")},
        };
        for (auto const& source : sources)
            BOOST_TEST(values(source.limits()) == expected, names[i]);
    }
}

BOOST_AUTO_TEST_CASE(the_command_line_wins_over_the_environment_and_that_over_the_file) {
    std::pair<std::string, std::string> const variable{"POPULATE_ROWS_LIMIT", "2"};
    Program const in_file{.file = "rows-limit = 3"};
    Program const in_two{.variables = {variable}, .file = "rows-limit = 3"};
    Program const in_three{
        .variables = {variable}, .file = "rows-limit = 3", .arguments = {"--rows-limit=1"}};
    BOOST_TEST(in_file.limits().rows == 3U);
    BOOST_TEST(in_two.limits().rows == 2U);
    BOOST_TEST(in_three.limits().rows == 1U);
    // An empty variable sets nothing.
    Program const empty{.variables = {{"POPULATE_ROWS_LIMIT", ""}}, .file = "rows-limit = 3"};
    BOOST_TEST(empty.limits().rows == 3U);
}

BOOST_AUTO_TEST_CASE(a_value_out_of_range_ends_the_program_with_where_it_stands) {
    std::pair<Program, char const*> const cases[] = {
        {{.arguments = {"--sort-hops-limit=13"}},
         "--sort-hops-limit: expected a number from 1 to 12, received 13"},
        {{.arguments = {"--plan-nodes-limit=0"}},
         "--plan-nodes-limit: expected a number from 1 to 1000, received 0"},
        {{.variables = {{"POPULATE_SORT_HOPS_LIMIT", "0"}}},
         "POPULATE_SORT_HOPS_LIMIT: sort-hops-limit: expected a number from 1 to 12, received 0"},
        {{.file = "\nrows-limit = many"}, ":2: rows-limit: expected a number, received many"},
        {{.file = "drain-timeout = 5M"}, ":1: drain-timeout: expected a time such as 250ms"},
        {{.file = "response-limit = 5s"}, ":1: response-limit: expected a size"},
    };
    for (auto const& [program, expected] : cases) {
        Said const said;
        auto const exit = program.parsed().exit;
        BOOST_TEST((exit == fcgi::exit_configuration));
        BOOST_TEST(said.text().find(expected) != std::string::npos, said.text());
    }
}

BOOST_AUTO_TEST_CASE(a_secret_on_the_command_line_is_refused_without_showing_it) {
    for (std::string const name : {"jwt-secret", "api-token-salt"}) {
        Said const said;
        auto const exit = Program{.arguments = {"--" + name + "=s3cret"}}.parsed().exit;
        BOOST_TEST((exit == fcgi::exit_configuration));
        BOOST_TEST(said.text().find(name) != std::string::npos, said.text());
        BOOST_TEST(said.text().find("s3cret") == std::string::npos, said.text());
    }
    auto const taken =
        Program{.variables = {{"POPULATE_JWT_SECRET", "s3cret"}}, .file = "api-token-salt = salt"}
            .parsed()
            .options.secrets;
    BOOST_TEST(taken.jwt == "s3cret");
    BOOST_TEST(taken.api_token_salt == "salt");
}

BOOST_AUTO_TEST_CASE(connections_are_half_the_workers_and_never_more_than_they) {
    std::tuple<std::vector<std::string>, std::size_t, std::size_t> const cases[] = {
        {{"--workers=9"}, 9, 5},
        {{"--workers=9", "--connections=7"}, 9, 7},
        {{"--workers=2", "--connections=7"}, 2, 2},
    };
    for (auto const& [arguments, workers, connections] : cases) {
        auto const options = Program{.arguments = arguments}.parsed().options;
        BOOST_TEST(options.workers == workers);
        BOOST_TEST(options.connections == connections);
    }
}

BOOST_AUTO_TEST_CASE(the_cache_is_exact_where_it_has_an_account_unless_it_is_said_otherwise) {
    using Bound = std::optional<std::chrono::milliseconds>;
    std::tuple<std::string, std::string, Bound> const table[] = {
        {"", "", std::nullopt},
        {"", "off", std::nullopt},
        {"cache", "", Bound(0)},
        {"cache", "exact", Bound(0)},
        {"cache", "off", std::nullopt},
        {"cache", "bounded=100ms", Bound(100)},
        {"cache", "bounded=2", Bound(2'000)},
    };
    for (auto const& [account, cache, expected] : table) {
        std::string file = "database = mysql://reader:secret@db:3307/cms\n";
        if (!account.empty()) file += "cache-user = " + account + "\n";
        if (!cache.empty()) file += "cache = " + cache + "\n";
        auto const options = Program{.file = file}.parsed().options;
        BOOST_TEST((options.cache == expected), file);
        if (!expected) continue;
        BOOST_TEST(options.cache_url.user == account);
        BOOST_TEST(options.cache_url.password == "");
        BOOST_TEST(options.cache_url.host == "db");
        BOOST_TEST(options.cache_url.name == "cms");
    }
}

BOOST_AUTO_TEST_CASE(a_cache_that_is_none_ends_the_program_with_where_it_stands) {
    std::pair<std::string, std::string> const table[] = {
        {"cache = exact", ":2: cache: expected off, because cache-user is not set"},
        {"cache = bounded=0", ":2: cache: expected off, exact or bounded=TIME, received bounded=0"},
        {"cache = bounded", ":2: cache: expected off, exact or bounded=TIME, received bounded"},
        {"cache-user = c\ncache-password-file = /nowhere/at/all",
         ":3: cache-password-file: /nowhere/at/all cannot be read: No such file or directory"},
    };
    for (auto const& [file, expected] : table) {
        Said const said;
        auto const result = Program{.file = "database = mysql://r@db/cms\n" + file}.parsed();
        BOOST_TEST((result.exit == fcgi::exit_configuration));
        BOOST_TEST(said.text().find(expected) != std::string::npos, said.text());
    }
}

BOOST_AUTO_TEST_CASE(the_secret_of_names_is_read_from_a_file_that_is_not_for_everybody) {
    Folder const folder;
    std::string const path = folder.path / "secret";
    std::string const base = "database = mysql://r@db/cms\ncache-user = c\n";
    std::string const names = "surrogate-key = xkey\nsurrogate-key-secret-file = " + path;
    struct {
        char const* secret; // null: there is no such file
        ::mode_t mode;
        std::string file, said;
    } const table[] = {
        {"0123456789abcdef\n", 0600, base + names, ""},
        {"0123456789abcdef", 0640, base + names, ""},
        {"0123456789abcdef\n", 0644, base + names,
         ":4: surrogate-key-secret-file: " + path + " is open to everybody; fix: chmod o= " + path},
        {"0123456789abcde\n", 0600, base + names, " has fewer than 16 bytes; fix: openssl rand "},
        {nullptr, 0, base + names,
         " cannot be read: No such file or directory; fix: openssl rand -base64 32 | install "},
        {nullptr, 0, base + "surrogate-key = xkey",
         ":3: surrogate-key: needs surrogate-key-secret-file; fix: openssl rand "},
        {nullptr, 0, base + "surrogate-key = x key",
         ":3: surrogate-key: expected the name of a header, such as Surrogate-Key, received x key"},
        {"0123456789abcdef\n", 0600, "database = mysql://r@db/cms\n" + names,
         ":2: surrogate-key: needs the cache: set cache-user, or remove surrogate-key"},
        {"0123456789abcdef\n", 0600, base + "cache = off\n" + names,
         ":4: surrogate-key: needs the cache: set cache-user, or remove surrogate-key"},
    };
    for (auto const& [secret, mode, file, expected] : table) {
        std::filesystem::remove(path);
        if (secret) {
            folder.write("secret", secret);
            ::chmod(path.c_str(), mode);
        }
        Said const said;
        auto const result = Program{.file = file}.parsed();
        BOOST_TEST(said.text().find(expected) != std::string::npos, said.text());
        if (!expected.empty()) {
            BOOST_TEST((result.exit == fcgi::exit_configuration));
            continue;
        }
        BOOST_TEST(!result.exit);
        BOOST_TEST(result.options.surrogate_key == "xkey");
        BOOST_TEST(result.options.surrogate_key_secret == "0123456789abcdef");
    }
}

BOOST_AUTO_TEST_CASE(a_variable_without_an_option_is_reported_with_what_it_may_mean) {
    Program const program{
        .variables = {{"POPULATE_MAX_LIMT", "5"}, {"POPULATE_THE_COLOUR_OF_MONEY", "red"}}};
    std::map<std::string, std::string> const expected{{"POPULATE_MAX_LIMT", "POPULATE_MAX_LIMIT"},
                                                      {"POPULATE_THE_COLOUR_OF_MONEY", ""}};
    BOOST_TEST((program.parsed().options.unknown_variables == expected));
}

// A Service `populate-fcgi` of Kubernetes makes the first six.
BOOST_AUTO_TEST_CASE(variables_that_others_set_are_not_reported) {
    Program const program{.variables = {{"POPULATE_FCGI_SERVICE_HOST", "10.0.0.11"},
                                        {"POPULATE_FCGI_SERVICE_PORT", "80"},
                                        {"POPULATE_FCGI_SERVICE_PORT_HTTP", "80"},
                                        {"POPULATE_FCGI_PORT", "tcp://10.0.0.11:80"},
                                        {"POPULATE_FCGI_PORT_80_TCP", "tcp://10.0.0.11:80"},
                                        {"POPULATE_FCGI_PORT_80_TCP_ADDR", "10.0.0.11"},
                                        {"POPULATE_PROGRESS", "1"},
                                        {"POPULATE_FCGI_WORKERS", "2"}}};
    std::map<std::string, std::string> const expected{
        {"POPULATE_FCGI_WORKERS", "POPULATE_WORKERS"}};
    BOOST_TEST((program.parsed().options.unknown_variables == expected));
}

// Two commands, which return 10 and 20; the second adds what its option says.
fcgi::Run declare_first(fcgi::CommandLine) {
    return [](fcgi::Options const&) { return 10; };
}
fcgi::Run declare_second(fcgi::CommandLine command) {
    auto const more = std::make_shared<std::string>("0");
    command.option("--more", *more, "");
    return [more](fcgi::Options const&) { return 20 + std::stoi(*more); };
}
constexpr fcgi::Command two_commands[] = {{"first", "", declare_first},
                                          {"second", "", declare_second, false}};

BOOST_AUTO_TEST_CASE(the_command_that_is_named_runs_and_the_first_where_none_is) {
    std::pair<std::vector<char const*>, int> const cases[] = {
        {{"populate-fcgi"}, 10},
        {{"populate-fcgi", "first"}, 10},
        {{"populate-fcgi", "second"}, 20},
        {{"populate-fcgi", "--strict=true", "second", "--more=3"}, 23},
        {{"populate-fcgi", "second", "--more=3", "--strict=true"}, 23},
    };
    for (auto const& [arguments, result] : cases) {
        auto const parsed =
            fcgi::parse_options(static_cast<int>(arguments.size()), arguments.data(), two_commands);
        BOOST_TEST_REQUIRE(!parsed.exit);
        BOOST_TEST(parsed.run(parsed.options) == result);
        BOOST_TEST(parsed.options.api.strict == (arguments.size() > 2));
    }
}

BOOST_AUTO_TEST_CASE(a_command_without_need_of_the_file_runs_where_there_is_none) {
    std::pair<char const*, bool> const cases[] = {{"first", false}, {"second", true}};
    for (auto const& [name, runs] : cases) {
        Said const said;
        char const* const arguments[] = {"populate-fcgi", "--config", "/nowhere/conf", name};
        auto const parsed = fcgi::parse_options(4, arguments, two_commands);
        BOOST_TEST(!parsed.exit == runs, name);
        BOOST_TEST(said.text().empty() == runs, said.text());
    }
}

BOOST_AUTO_TEST_CASE(lists_may_have_spaces_between_their_values) {
    auto const parsed =
        Program{.arguments = {"--cors-origins", "https://a.example, https://b.example",
                              "--cache-control", "api::a.a=max-age=60; *=no-cache"}}
            .parsed();
    BOOST_TEST(!parsed.exit);
    BOOST_TEST(parsed.options.cors.origins.at(1) == "https://b.example");
    BOOST_TEST(parsed.options.cache_control.at("api::a.a") == "max-age=60");
    BOOST_TEST(parsed.options.cache_control.at("*") == "no-cache");
}

BOOST_AUTO_TEST_CASE(who_may_connect_is_a_list_of_addresses) {
    auto const given = Program{.arguments = {"--listen-allow", "10.0.0.5,10.1.0.0/16"}}.parsed();
    BOOST_TEST(!given.exit);
    BOOST_TEST(given.options.listen_allow == "10.0.0.5,10.1.0.0/16");
    auto const wrong = Program{.arguments = {"--listen-allow", "web-server"}}.parsed();
    BOOST_TEST((wrong.exit == fcgi::exit_configuration));
}

BOOST_AUTO_TEST_CASE(a_setting_that_has_ended_is_named_wherever_it_is_set_and_whatever_its_value) {
    std::pair<Program, char const*> const programs[] = {
        {{.file = "processes = 4\n"}, "processes"},
        {{.file = "processes = several\n"}, "processes"},
        {{.variables = {{"POPULATE_PROCESSES", "0"}}}, "processes"},
        {{.variables = {{"POPULATE_PROCESSES", "2"}}, .file = "processes = 4\n"}, "processes"},
        {{.arguments = {"--processes=4"}}, "processes"},
        {{.arguments = {"--processes", "4"}}, "processes"},
        {{.file = "default-parameters = /etc/populate-fcgi/defaults.json\n"}, "default-parameters"},
        {{.file = "serve-types = api::a.a, api::b.b\n"}, "serve-types"},
        {{.arguments = {"--serve-types", "api::a.a,api::b.b"}}, "serve-types"},
    };
    for (auto const& [program, name] : programs) {
        auto const parsed = program.parsed();
        BOOST_TEST(!parsed.exit);
        BOOST_TEST_REQUIRE(parsed.options.ended.size() == 1U);
        BOOST_TEST(parsed.options.ended[0].name == name);
        BOOST_TEST(parsed.options.unknown_variables.empty());
        BOOST_TEST(!parsed.options.written.contains(name));
    }
    BOOST_TEST(Program().parsed().options.ended.empty());
}

BOOST_AUTO_TEST_SUITE_END()
