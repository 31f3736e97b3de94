#include "fcgi/options/described.hpp"
#include "tests/unit/fcgi/check/folder.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <sstream>

// The documents are written as nginx/strapi/README.md says.

BOOST_AUTO_TEST_SUITE(described)

namespace {

// The program with a document that has these settings, and with what the owner sets.
struct Program {
    explicit Program(std::string const& settings) {
        folder.write("description.json",
                     R"({"format": 1, "strapi": "5.54.0", "contentTypes": {}, "components": {}, )"
                     R"("actions": {}, "files": {}, "settings": )" +
                         settings + "}");
    }

    fcgi::ParsedOptions with(std::vector<std::string> owners = {}) const {
        owners.insert(owners.begin(), {"populate-fcgi", "--description", file()});
        std::vector<char const*> argv;
        for (auto const& word : owners)
            argv.push_back(word.c_str());
        return fcgi::parse_options(static_cast<int>(argv.size()), argv.data());
    }
    std::string file() const { return folder.path / "description.json"; }
    db::Description description() const { return db::read_description(file()).value(); }

    Folder folder;
};

using List = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(what_the_cms_says_is_the_option_that_it_is_for) {
    Program const program(R"({
        "rest": {"prefix": "/v1", "defaultLimit": 10, "maxLimit": null, "withCount": false,
                 "privateAttributes": ["inner", "secretNote"],
                 "arrayLimit": 500,
                 "cors": {"origin": ["https://a.example", "https://b.example"],
                          "headers": "X-Own, Content-Type", "expose": ["X-Total"],
                          "credentials": false, "maxAge": 60}},
        "timeZone": "+05:30"})");
    auto const parsed = program.with();
    BOOST_TEST_REQUIRE(!parsed.exit);
    auto const& options = parsed.options;
    BOOST_TEST(options.prefix == "/v1");
    BOOST_TEST(options.api.default_limit == 10U);
    BOOST_TEST(!options.api.max_limit);
    BOOST_TEST(!options.api.with_count);
    BOOST_TEST((options.private_attributes == List{"inner", "secretNote"}));
    BOOST_TEST(options.tree.array_limit == 500U);
    BOOST_TEST((options.cors.origins == List{"https://a.example", "https://b.example"}));
    BOOST_TEST((options.cors.headers == List{"X-Own", "Content-Type"}));
    BOOST_TEST((options.cors.exposed == List{"X-Total"}));
    BOOST_TEST(!options.cors.credentials);
    BOOST_TEST(options.cors.max_age == 60U);
    BOOST_TEST(options.time_zone == "+05:30");
    BOOST_TEST(fcgi::differing_options(program.description(), options).empty());
}

BOOST_AUTO_TEST_CASE(what_it_does_not_say_has_its_default) {
    fcgi::Options const defaults;
    auto const parsed =
        Program(R"({"rest": {"defaultLimit": null, "cors": {"origin": "*"}}})").with();
    BOOST_TEST_REQUIRE(!parsed.exit);
    BOOST_TEST(parsed.options.prefix == defaults.prefix);
    BOOST_TEST(parsed.options.api.default_limit == defaults.api.default_limit);
    BOOST_TEST((parsed.options.api.max_limit == defaults.api.max_limit));
    BOOST_TEST(parsed.options.cors.origins.empty());
    BOOST_TEST(parsed.options.time_zone == "UTC");
}

BOOST_AUTO_TEST_CASE(what_the_owner_sets_wins_and_is_told_where_it_differs) {
    Program const program(R"({"rest": {"defaultLimit": 10, "maxLimit": 50, "privateAttributes":
        ["inner"], "cors": {"origin": ["https://a.example", "https://b.example"]}}})");
    auto const parsed = program.with({"--default-limit", "7", "--private-attributes", "own",
                                      "--cors-origins", "https://b.example, https://a.example"});
    BOOST_TEST_REQUIRE(!parsed.exit);
    BOOST_TEST(parsed.options.api.default_limit == 7U);
    BOOST_TEST((parsed.options.api.max_limit == std::optional<std::uint64_t>(50)));
    BOOST_TEST((parsed.options.private_attributes == List{"own", "inner"}));
    BOOST_TEST(parsed.options.written.at("default-limit") == "7");
    BOOST_TEST(parsed.options.written.at("max-limit") == "");
    auto const differing = fcgi::differing_options(program.description(), parsed.options);
    BOOST_TEST_REQUIRE(differing.size() == 1U);
    BOOST_TEST(differing[0].name == "default-limit");
    BOOST_TEST(differing[0].theirs == "10");
    BOOST_TEST(differing[0].ours == "7");
}

BOOST_AUTO_TEST_CASE(a_document_that_cannot_be_read_says_nothing) {
    Program const program(R"([])");
    auto const parsed = program.with();
    BOOST_TEST_REQUIRE(!parsed.exit);
    BOOST_TEST(parsed.options.described.empty());
    BOOST_TEST(parsed.options.prefix == fcgi::Options().prefix);
}

BOOST_AUTO_TEST_CASE(a_value_that_no_option_takes_is_named_with_its_place) {
    Program const program(R"({"rest": {"defaultLimit": "many"}})");
    std::ostringstream said;
    auto* const before = std::cerr.rdbuf(said.rdbuf());
    auto const exit = program.with().exit;
    auto const without = program.with({"--default-limit", "7"}).exit;
    std::cerr.rdbuf(before);
    BOOST_TEST((exit == fcgi::exit_configuration));
    BOOST_TEST(said.str().find(program.file() + ": default-limit: ") != std::string::npos,
               said.str());
    BOOST_TEST(!without);
}

BOOST_AUTO_TEST_CASE(a_setting_has_changed_that_has_another_value_or_none) {
    struct {
        fcgi::WrittenOptions before, now;
        List names;
    } const cases[] = {
        {{}, {}, {}},
        {{{"a", "1"}, {"b", "1"}}, {{"a", "1"}, {"b", "1"}}, {}},
        {{{"a", "1"}, {"b", "1"}}, {{"a", "2"}, {"b", "1"}}, {"a"}},
        {{{"a", "1"}}, {{"b", "1"}}, {"a", "b"}},
    };
    for (auto const& [before, now, names] : cases)
        BOOST_TEST((fcgi::changed_options(before, now) == names));
}

// What setup and check ask.
BOOST_AUTO_TEST_CASE(a_secret_is_known_by_its_variable) {
    struct {
        std::string settings;
        std::string variable; // "?": it is in none
    } const cases[] = {
        {R"({"jwtSecret": {"variable": "USERS_SECRET"}})", "USERS_SECRET"},
        {R"({"jwtSecret": {"variable": null}})", "?"},
        {R"({"jwtSecret": "text"})", "?"},
        {R"({})", ""},
    };
    for (auto const& [settings, variable] : cases) {
        auto const found = fcgi::described_variable(Program(settings).description(), "jwtSecret");
        BOOST_TEST((found ? *found : "?") == variable, settings);
    }
    auto const cms = Program(R"({"server": {"host": null, "port": 1400}})").description();
    BOOST_TEST(fcgi::described_text(cms, "/server/port") == "1400");
    BOOST_TEST(fcgi::described_text(cms, "/server/host") == "");
    BOOST_TEST(fcgi::described_text(cms, "/database/name") == "");
}

BOOST_AUTO_TEST_SUITE_END()
