#include "db/schema/default_parameters.hpp"

#include "db/schema/project_watch.hpp"
#include "db/schema/schema.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(default_parameters)

namespace {

std::string const uid = "api::post.post";
std::string const sha256(64, '0');

std::string router(std::string const& config) {
    return "import { factories } from '@strapi/strapi';\n"
           "export default factories.createCoreRouter('api::post.post', { config: " +
           config + " });\n";
}

std::string const by_fill = R"({ find: { middlewares: ['api::post.fill'] } })";

struct Fixture {
    Fixture() {
        project.type("post", R"("title": {"type": "string"})");
        project.write("api/post/routes/post.js", router(by_fill));
        project.write("api/post/middlewares/fill.ts", "fill");
    }

    // `entry` of the action `find`.
    void write_defaults(std::string const& entry) {
        project.write("defaults.json", R"({"api::post.post": {"find": )" + entry + "}}");
    }
    void write_right_defaults() {
        write_defaults(R"({"middleware": "api::post.fill", "sha256": ")" + db::sha256_of("fill") +
                       R"(", "always": {"populate": {"author": true}}})");
    }

    std::shared_ptr<db::Schema> load() const {
        db::SchemaOptions options;
        options.default_parameters = project.folder() / "src/defaults.json";
        return db::load_schema(project.folder(), options).value();
    }

    TemporaryProject project;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_sum_is_what_sha256sum_prints) {
    BOOST_TEST(db::sha256_of("") ==
               "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

BOOST_FIXTURE_TEST_CASE(an_action_is_held_back_by_its_middleware_alone, Fixture) {
    auto const schema = load();
    auto const& type = *schema->find(uid);
    BOOST_TEST(type.not_served == "");
    BOOST_TEST(type.middlewares.size() == 1U);
    BOOST_TEST(type.middlewares.at("find").uid == "api::post.fill");
    BOOST_TEST(type.middlewares.at("find").not_served ==
               "its route has the middleware api::post.fill");
}

BOOST_FIXTURE_TEST_CASE(what_stands_for_its_middleware_serves_it, Fixture) {
    write_right_defaults();
    auto const schema = load();
    auto const& middleware = schema->find(uid)->middlewares.at("find");
    BOOST_TEST(middleware.not_served == "");
    BOOST_TEST(dump(parser::Tree(middleware.parameters.always)) ==
               R"({"populate":{"author":"true"}})");
    BOOST_TEST(schema->unused_defaults.empty());
}

BOOST_FIXTURE_TEST_CASE(a_changed_middleware_holds_it_back_again, Fixture) {
    struct {
        char const* file;
        char const* text;
        char const* why;
    } const cases[] = {
        {"api/post/middlewares/fill.ts", "fill more", "has changed: its checksum differs"},
        {"api/post/middlewares/fill.js", "fill", "expected one file for api::post.fill"},
        {"api/post/routes/post.js", "", "none of its routes has a middleware"},
    };
    for (auto const& [file, text, why] : cases) {
        BOOST_TEST_CONTEXT(file) {
            Fixture fixture;
            fixture.write_right_defaults();
            fixture.project.write(file, text);
            auto const schema = fixture.load();
            for (auto const& [action, middleware] : schema->find(uid)->middlewares)
                BOOST_TEST(middleware.not_served.find(why) != std::string::npos);
            BOOST_TEST_REQUIRE(schema->unused_defaults.size() == 1U);
            BOOST_TEST(schema->unused_defaults[0].why.find(why) != std::string::npos);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(a_file_without_meaning_serves_nothing_and_says_so, Fixture) {
    struct {
        std::string entry;
        std::string expected;
    } const cases[] = {
        {"", "expected JSON"},
        {"[]", "api::post.post.find: expected an object"},
        {R"({"sha256": ")" + sha256 + R"(", "always": {"populate": "*"}})", "a `middleware`"},
        {R"({"middleware": "api::post.fill", "always": {"populate": "*"}})", "a `sha256`"},
        {R"({"middleware": "api::post.fill", "sha256": ")" + sha256 + "\"}", "parameters in"},
        {R"({"middleware": 1})", "api::post.post.find.middleware: expected a text"},
        {R"({"always": {"populate": true}})", "always.populate: expected a text, a list or"},
        {R"({"always": {"popualte": "*"}})", "always.popualte: expected the name of a parameter"},
        {R"({"allways": {}})", "allways: expected `middleware`"},
    };
    for (auto const& [entry, expected] : cases) {
        BOOST_TEST_CONTEXT(entry) {
            write_defaults(entry);
            auto const schema = load();
            BOOST_TEST(schema->find(uid)->middlewares.at("find").not_served != "");
            BOOST_TEST_REQUIRE(schema->unused_defaults.size() == 1U);
            auto const& why = schema->unused_defaults[0].why;
            BOOST_TEST(why.find(expected) != std::string::npos, why);
        }
    }
}

BOOST_FIXTURE_TEST_CASE(whatever_else_a_route_of_reading_has_keeps_the_type, Fixture) {
    char const* const configs[] = {
        "{ find: { policies: ['own'] } }",
        "{ find: { auth: false } }",
        "{ find: { middlewares: ['api::post.fill', 'api::post.other'] } }",
        "{ find: { middlewares: [{ name: 'api::post.fill', config: {} }] } }",
        "{ find: { middlewares: [(ctx, next) => next()] } }",
        "{ find: { middlewares: ['api::post.fill'] }, findOne: { policies: ['own'] } }",
        "{ find: { middlewares: ['api::post.fill'] }, ...more }",
        "{ find: { middlewares: ['api::post.fill'] } }, prefix: '/x'",
    };
    write_right_defaults();
    for (auto const* config : configs) {
        project.write("api/post/routes/post.js", router(config));
        BOOST_TEST(load()->find(uid)->not_served != "", config);
    }
}

BOOST_FIXTURE_TEST_CASE(what_a_router_says_of_writing_does_not_matter, Fixture) {
    project.write("api/post/routes/post.js",
                  router("{ create: { policies: ['own'], middlewares: ['api::post.fill'] }, find: "
                         "{ middlewares: [], policies: [] } }"));
    std::filesystem::remove_all(project.folder() / "src/api/post/middlewares");
    auto const schema = load();
    BOOST_TEST(schema->find(uid)->not_served == "");
    BOOST_TEST(schema->find(uid)->middlewares.empty());
}

BOOST_FIXTURE_TEST_CASE(a_middleware_that_no_route_names_keeps_the_type, Fixture) {
    write_right_defaults();
    project.write("api/post/middlewares/other.js", "module.exports = guard;");
    BOOST_TEST(load()->find(uid)->not_served.find("other.js") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_middleware_may_be_of_the_whole_project, Fixture) {
    std::filesystem::remove_all(project.folder() / "src/api/post/middlewares");
    project.write("middlewares/fill.js", "fill");
    project.write("api/post/routes/post.js", router("{ find: { middlewares: ['global::fill'] } }"));
    write_defaults(R"({"middleware": "global::fill", "sha256": ")" + db::sha256_of("fill") +
                   R"(", "default": {"populate": "*"}})");
    BOOST_TEST(load()->find(uid)->middlewares.at("find").not_served == "");
    auto const before = db::stamp_of(project.folder());
    project.write("middlewares/fill.js", "fill more");
    BOOST_TEST((db::stamp_of(project.folder()) != before));
}

BOOST_AUTO_TEST_SUITE_END()
