#include "db/schema/description.hpp"

#include "db/schema/project_folder.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(description)

namespace {

namespace fs = std::filesystem;

std::string const least =
    R"({"format": 1, "strapi": "5.54.0", "settings": {}, "contentTypes": {}, "components": {},
        "actions": {}, "files": {}})";

// The least document with these members, in place of its own or besides.
std::string with(std::string const& members) {
    auto document = boost::json::parse(least).as_object();
    auto const own = boost::json::parse('{' + members + '}').as_object();
    for (auto const& [name, value] : own)
        document[name] = value;
    return boost::json::serialize(document);
}

std::string action(std::string const& members) {
    return with(R"("actions": {"api::post.post": {"find": {"path": "/api/posts")" +
                (members.empty() ? "" : ", " + members) + "}}}");
}

// A project whose description is beside its sources.
struct Fixture {
    parser::Result<db::Description> read(std::string const& document) {
        project.write("../description.json", document);
        return db::read_description(project.folder() / "description.json");
    }

    parser::QueryEffect effect(std::string const& members) {
        return read(action(R"("effect": {)" + members + "}"))
            ->actions.at("api::post.post")
            .at("find")
            .effect;
    }

    TemporaryProject project;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_sum_is_what_sha256sum_prints) {
    BOOST_TEST(db::sha256_of("") ==
               "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

BOOST_FIXTURE_TEST_CASE(it_has_what_the_document_says, Fixture) {
    auto const found = read(with(
        R"("node": "24.1.0", "environment": null, "settings": {"timeZone": "UTC"},
           "handedOver": ["one", "two"], "contentTypes": {"api::post.post": {"kind": "x"}},
           "components": {"shared.seo": {}}, "files": {"src/index.js": "0123456789abcdef"},
           "actions": {"api::post.post": {
               "find": {"path": "/api/posts", "parameters": ["sort"]},
               "findOne": {"path": "/api/posts/:id", "auth": false, "handedOver": ["a", "b"]}}})"));
    BOOST_TEST_REQUIRE(found.has_value());
    BOOST_TEST(found->release.text() == "5.54.0");
    BOOST_TEST(found->settings.at("timeZone").as_string() == "UTC");
    BOOST_TEST(found->handed_over == (std::vector<std::string>{"one", "two"}));
    BOOST_TEST(found->content_types.contains("api::post.post"));
    BOOST_TEST(found->components.contains("shared.seo"));
    BOOST_TEST(found->files.at("src/index.js") == "0123456789abcdef");
    auto const& actions = found->actions.at("api::post.post");
    BOOST_TEST(actions.at("find").handed_over == "");
    BOOST_TEST(actions.at("find").needs_permission);
    BOOST_TEST(actions.at("find").effect.empty());
    BOOST_TEST(actions.at("find").parameters.value() == std::vector<std::string>{"sort"});
    BOOST_TEST(actions.at("findOne").handed_over == "a; b");
    BOOST_TEST(!actions.at("findOne").needs_permission);
    BOOST_TEST(!actions.at("findOne").parameters);
}

BOOST_FIXTURE_TEST_CASE(values_of_an_effect_are_texts_as_in_a_query, Fixture) {
    auto const found = effect(
        R"("default": {"populate": {"seo": true}, "pagination": {"limit": 3}},
           "emptyIsAbsent": ["populate"], "always": {"sort": ["id", null]}, "dropped": ["fields"],
           "keep": [], "pick": {"filters": ["slug"]}, "watched": {"locale": "it is odd"},
           "headers": {"x-site": "one"})");
    BOOST_TEST(dump(parser::Tree(found.absent)) ==
               R"({"populate":{"seo":"true"},"pagination":{"limit":"3"}})");
    BOOST_TEST(dump(parser::Tree(found.always)) == R"({"sort":["id",null]})");
    BOOST_TEST(found.empty_is_absent == std::vector<std::string>{"populate"});
    BOOST_TEST(found.dropped == std::vector<std::string>{"fields"});
    BOOST_TEST(found.keep.value().empty());
    BOOST_TEST(found.pick.at(0).first == "filters");
    BOOST_TEST(found.pick.at(0).second == std::vector<std::string>{"slug"});
    BOOST_TEST(found.watched.at(0).first == "locale");
    BOOST_TEST(found.watched.at(0).second == "it is odd");
    BOOST_TEST(found.headers.at(0).second == "one");
    BOOST_TEST(!found.empty());
}

BOOST_FIXTURE_TEST_CASE(anything_else_is_an_error_that_names_the_member, Fixture) {
    struct {
        std::string document;
        char const* expected;
    } const cases[] = {
        {"", "expected JSON"},
        {"[]", "expected an object"},
        {"{}", "expected a member `format`"},
        {with(R"("format": 2)"), "format: expected 1"},
        {with(R"("format": "1")"), "format: expected 1"},
        {with(R"("strapi": "five")"), "strapi: expected a release"},
        {with(R"("settings": null)"), "settings: expected an object"},
        {with(R"("more": 1)"), "more: expected no member"},
        {with(R"("handedOver": "x")"), "handedOver: expected a list"},
        {with(R"("handedOver": [1])"), "handedOver: expected a text"},
        {with(R"("contentTypes": {"a": []})"), "contentTypes.a: expected an object"},
        {with(R"("files": {"a": 1})"), "files.a: expected a text"},
        {with(R"("actions": {"a": {"find": {}}})"), "actions.a.find: expected a member `path`"},
        {action(R"("auth": true)"), "find.auth: expected false"},
        {action(R"("auth": {"scope": []})"), "find.auth: expected false"},
        {action(R"("served": true)"), "find.served: expected no member"},
        {action(R"("handedOver": [])"), "find.handedOver: expected a reason"},
        {action(R"("effect": [])"), "find.effect: expected an object"},
        {action(R"("effect": {"allways": {}})"), "find.effect.allways: expected no member"},
        {action(R"("effect": {"pick": {"a": "b"}})"), "find.effect.pick.a: expected a list"},
        {action(R"("effect": {"headers": {"x": ["y"]}})"), "find.effect.headers.x: expected a"},
        {action(R"("effect": {"headers": {"x": "y\r\nSet-Cookie: z"}})"), "headers: expected"},
        {action(R"("effect": {"headers": {"x: y": "z"}})"), "headers: expected"},
    };
    for (auto const& [document, expected] : cases) {
        BOOST_TEST_CONTEXT(document) {
            auto const found = read(document);
            BOOST_TEST_REQUIRE(!found.has_value());
            BOOST_TEST(found.error().message.find("description.json: ") != std::string::npos);
            BOOST_TEST(found.error().message.find(expected) != std::string::npos,
                       found.error().message);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(it_is_a_regular_file_of_bearable_size, Fixture) {
    BOOST_TEST(read(least).has_value());
    auto const path = project.folder() / "description.json";
    auto const other = project.folder() / "other.json";
    fs::rename(path, other);
    BOOST_TEST(!db::read_description(path).has_value());
    fs::create_symlink(other, path);
    BOOST_TEST(!db::read_description(path).has_value());
    BOOST_TEST(!db::read_description(project.folder()).has_value());
    fs::resize_file(other, 8'000'001);
    BOOST_TEST(db::read_description(other).error().message.find("at most 8000000 bytes") !=
               std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(files_differ_by_content_and_by_being_there, Fixture) {
    struct {
        char const* name;
        std::string content; // empty: it is removed
        std::string changed; // of all, in their order; empty: none
    } const cases[] = {
        {"src/index.js", "one", ""}, // as it was
        {"src/index.js", "two", "src/index.js"},
        {"src/index.js", "", "src/index.js"},
        {"src/api/a/routes/b.json", "{}", "src/api/a/routes/b.json"},
        {"config/api.js", "x", "config/api.js"},
        {"dist/config/api.js", "x", "dist/config/api.js"},
        {"patches/some.patch", "x", "patches/some.patch"},
        {"package.json", "{}", "package.json"},
        {".env", "A=1", ".env"},
        {"src/notes.txt", "x", ""},
        {"src/admin/app.js", "x", ""},
        {"src/plugins/a/node_modules/b/c.js", "x", ""},
        {"README.json", "{}", ""},
    };
    for (auto const& [name, content, changed] : cases) {
        BOOST_TEST_CONTEXT(name << ' ' << content) {
            Fixture fixture;
            auto const found = fixture.read(with(R"("files": {"src/index.js": ")" +
                                                 db::sha256_of("one").substr(0, 16) + "\"}"));
            fixture.project.write("index.js", "one");
            if (content.empty())
                fs::remove(fixture.project.folder() / name);
            else
                fixture.project.write(std::string("../") + name, content);
            std::string all;
            for (auto const& file : db::changed_files(found.value(), fixture.project.folder()))
                all.append(all.empty() ? "" : " ").append(file);
            BOOST_TEST(all == changed);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(no_file_outside_of_the_project_counts_as_unchanged, Fixture) {
    TemporaryProject elsewhere;
    elsewhere.write("a.js", "one");
    auto const there = elsewhere.folder() / "src";
    fs::create_symlink(there / "a.js", project.folder() / "src/a.js");
    fs::create_symlink(there, project.folder() / "src/linked");
    auto const relative = there.lexically_relative(project.folder()) / "a.js";
    for (std::string const& name : {(there / "a.js").string(), relative.string(),
                                    std::string("src/a.js"), std::string("src/linked/a.js")}) {
        auto const found = read(
            with("\"files\": {\"" + name + "\": \"" + db::sha256_of("one").substr(0, 16) + "\"}"));
        BOOST_TEST(db::changed_files(found.value(), project.folder()) ==
                   std::vector<std::string>{name});
    }
}

BOOST_AUTO_TEST_SUITE_END()
