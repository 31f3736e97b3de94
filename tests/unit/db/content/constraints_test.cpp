#include "db/content/constraints.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

// Strapi's validators (4.26.2: dist/services/entity-validator of @strapi/strapi; 5.54.0: of
// @strapi/core) accept and refuse the same.

BOOST_AUTO_TEST_SUITE(constraints)

namespace {

using db::Version;

constexpr auto draft_and_publish = R"("options": {"draftAndPublish": true})";

std::string problems_of(std::string const& attributes, std::string const& line, Version version) {
    TemporaryProject project;
    project.component("a", "part",
                      R"("word": {"type": "string", "required": true, "maxLength": 3})");
    project.type("post", attributes, draft_and_publish);
    auto const schema = db::load_schema(project.folder(), {{}, version});
    BOOST_TEST_REQUIRE(schema.has_value(), schema.error().message);
    std::vector<std::string> problems;
    auto const& type = *(*schema)->find("api::post.post");
    db::Constraints(**schema).check(type, boost::json::parse(line).as_object(), problems);
    std::string text;
    for (auto const& problem : problems)
        text += (text.empty() ? "" : "; ") + problem;
    return text;
}

// Returns the problems of an attribute `a` of this kind, in an entry that is published.
std::string problems_of_value(std::string const& declared, std::string const& value) {
    auto const line = R"({"publishedAt": "2024-05-17T00:00:00Z", "a": )" + value + "}";
    auto const found = problems_of("\"a\": " + declared, line, Version::strapi4);
    BOOST_TEST(found == problems_of("\"a\": " + declared, line, Version::strapi5));
    return found;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_value_is_as_its_file_asks) {
    struct Case {
        char const* declared;
        char const* value;
        char const* problem; // empty: none
    };
    Case const cases[] = {
        {R"({"type": "string", "required": true})", R"("")", ""},
        {R"({"type": "string", "required": true})", "null", "a: expected a value"},
        {R"({"type": "integer", "required": true})", "0", ""},
        {R"({"type": "json", "required": true})", "null", "a: expected a value"},
        // Characters of JavaScript: 🎈 has two, é one.
        {R"({"type": "string", "minLength": 3})", R"("🎈é")", ""},
        {R"({"type": "string", "minLength": 3})", R"("éé")",
         R"(a: expected at least 3 characters, received ""éé"")"},
        {R"({"type": "string", "minLength": 3})", "null", ""},
        {R"({"type": "text", "maxLength": 2})", R"("🎈")", ""},
        {R"({"type": "text", "maxLength": 2})", R"("🎈!")",
         R"(a: expected at most 2 characters, received ""🎈!"")"},
        {R"({"type": "string", "minLength": 0, "maxLength": 0})", R"("x")", ""},
        {R"({"type": "integer", "min": 2.9, "max": 5})", "2", ""},
        {R"({"type": "integer", "min": 2})", "1", R"(a: expected at least 2, received "1")"},
        {R"({"type": "float", "min": 2.5})", "2.4",
         R"(a: expected at least 2.5, received "2.4E0")"},
        {R"({"type": "decimal", "max": -1})", "0", R"(a: expected at most -1, received "0")"},
        {R"({"type": "biginteger", "max": 1})", "2", ""},
        {R"({"type": "string", "regex": "^[a-z]+$"})", R"("abc")", ""},
        {R"({"type": "string", "regex": "^[a-z]+$"})", R"("a1")",
         R"(a: expected a text that matches ^[a-z]+$, received ""a1"")"},
        {R"({"type": "string", "regex": "[a-z]"})", R"("")", ""},
        {R"({"type": "string", "regex": "[a-z]", "required": true})", R"("")",
         R"(a: expected a text that matches [a-z], received """")"},
        {R"({"type": "string", "regex": "^[\\u00e0-\\u00ff]{2}$"})", R"("éè")", ""},
        {R"({"type": "string", "regex": "^\\\\u00e9$"})", R"("\\u00e9")", ""},
        {R"({"type": "string", "regex": "^(?=.*\\d)\\w{2,}$"})", R"("a1")", ""},
        // It would take longer than anyone waits.
        {R"({"type": "string", "regex": "^(a+)+$"})", R"("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab")",
         R"(a: expected a text that matches ^(a+)+$, received ""aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab"")"},
        {R"({"type": "component", "component": "a.part", "required": true})", "null",
         "a: expected a value"},
        {R"({"type": "component", "component": "a.part"})", R"({"word": "long"})",
         R"(a.word: expected at most 3 characters, received ""long"")"},
        {R"({"type": "component", "component": "a.part", "repeatable": true, "required": true, "min": 1})",
         "null", "a: expected at least 1 components, found 0"},
        {R"({"type": "component", "component": "a.part", "repeatable": true, "min": 1})", "[]", ""},
        {R"({"type": "component", "component": "a.part", "repeatable": true, "min": 3, "max": 1})",
         R"([{"word": "a"}, {}])",
         "a: expected at least 3 components, found 2; a: expected at most 1 components, found 2; "
         "a[1].word: expected a value"},
        {R"({"type": "dynamiczone", "components": ["a.part"]})", R"([{"__component": "a.part"}])",
         "a[0].word: expected a value"},
        {R"({"type": "relation", "relation": "oneToOne", "target": "api::post.post", "required": true})",
         "null", ""},
        // A value of another type is told of where types are looked at.
        {R"({"type": "string", "maxLength": 2})", "5555", ""},
    };
    for (auto const& [declared, value, problem] : cases)
        BOOST_TEST_CONTEXT(declared << " " << value)
    BOOST_TEST(problems_of_value(declared, value) == problem);
}

BOOST_AUTO_TEST_CASE(of_a_draft_less_is_asked) {
    constexpr auto attributes = R"("a": {"type": "string", "required": true},
        "b": {"type": "string", "minLength": 2, "maxLength": 3, "regex": "^x"},
        "c": {"type": "integer", "min": 2, "max": 4},
        "d": {"type": "component", "component": "a.part", "repeatable": true, "max": 0})";
    auto const draft = [&](std::string const& values, Version version) {
        return problems_of(attributes, R"({"publishedAt": null, )" + values + "}", version);
    };
    struct Case {
        char const* values;
        char const* problem4;
        char const* problem5;
    };
    Case const cases[] = {
        {R"("a": null)", "", ""},
        {R"("b": "x")", "", ""},
        {R"("b": "y")", R"(b: expected a text that matches ^x, received ""y"")", ""},
        {R"("b": "xxxx")", R"(b: expected at most 3 characters, received ""xxxx"")",
         R"(b: expected at most 3 characters, received ""xxxx"")"},
        {R"("c": 1)", R"(c: expected at least 2, received "1")", ""},
        {R"("c": 5)", R"(c: expected at most 4, received "5")",
         R"(c: expected at most 4, received "5")"},
        {R"("d": [{}])", "d: expected at most 0 components, found 1", ""},
    };
    for (auto const& [values, problem4, problem5] : cases) {
        BOOST_TEST(draft(values, Version::strapi4) == problem4, values);
        BOOST_TEST(draft(values, Version::strapi5) == problem5, values);
    }
    BOOST_TEST(problems_of(attributes, "{}", Version::strapi4) == "a: expected a value");
    BOOST_TEST(problems_of(attributes, "{}", Version::strapi5) == "");
}

BOOST_AUTO_TEST_SUITE_END()
