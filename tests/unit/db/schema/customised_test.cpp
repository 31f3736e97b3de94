#include "db/schema/scripts.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(customised)

namespace {

std::string const uid = "api::post.post";

bool is_generated_router(std::string_view source) {
    return db::is_generated(source, "createCoreRouter", uid);
}

// A project with the type `post` in an API that also has the type `note`.
struct Fixture {
    Fixture() {
        project.type("post", R"("title": {"type": "string"})");
        project.write("api/post/content-types/note/schema.json",
                      R"({"info": {"singularName": "note", "pluralName": "notes"}})");
        project.write("api/post/routes/note.js", TemporaryProject::router("api::post.note"));
    }

    std::shared_ptr<db::Schema> load() const { return project.load(); }
    std::string customised(std::string_view type) const { return load()->find(type)->not_served; }

    TemporaryProject project;
};

} // namespace

// `strapi generate` of Strapi 4 and 5 writes these files, in both languages, and formatters change
// their layout.
BOOST_AUTO_TEST_CASE(generated_files_are_known_in_any_layout) {
    char const* const cases[] = {
        "'use strict';\n\n/**\n * post router\n */\n\n"
        "const { createCoreRouter } = require('@strapi/strapi').factories;\n\n"
        "module.exports = createCoreRouter('api::post.post');\n",
        "/**\n * post router\n */\n\nimport { factories } from '@strapi/strapi';\n\n"
        "export default factories.createCoreRouter('api::post.post');\n",
        "/**\n * post router\n */\n\nimport { factories } from '@strapi/strapi'\n\n"
        "export default factories.createCoreRouter('api::post.post');\n",
        "const {createCoreRouter}=require(\"@strapi/strapi\").factories\r\n"
        "module.exports=createCoreRouter(\"api::post.post\") // all routes\r\n",
        "\"use strict\"\nimport {factories} from \"@strapi/strapi\"\n"
        "export default factories.createCoreRouter(`api::post.post`)",
        "import { factories } from '@strapi/strapi';\n"
        "export default factories.createCoreRouter('api::post.post' as const);",
        "import { factories } from '@strapi/strapi';\n"
        "export default factories.createCoreRouter(\"api::post.post\" as any);",
    };
    for (auto const* source : cases)
        BOOST_TEST(is_generated_router(source), source);
}

BOOST_AUTO_TEST_CASE(anything_more_is_code_of_its_own) {
    std::string const require = "const { createCoreRouter } = require('@strapi/strapi').factories;";
    std::string const import = "import { factories } from '@strapi/strapi';";
    std::string const cases[] = {
        "",
        require,
        require + "module.exports = createCoreRouter('api::post.post', { only: ['find'] });",
        require + "module.exports = createCoreRouter('api::post.post', {});",
        require + "module.exports = createCoreRouter('api::note.note');",
        require + "module.exports = createCoreRouter('api::post.post'); guard();",
        require + "guard(); module.exports = createCoreRouter('api::post.post');",
        require + "module.exports = guard(createCoreRouter('api::post.post'));",
        require + "// a comment\nguard();module.exports = createCoreRouter('api::post.post');",
        require + "// a comment\rguard();module.exports = createCoreRouter('api::post.post');",
        require +
            "// a comment\u2028guard();\nmodule.exports = createCoreRouter('api::post.post');",
        require +
            "/* a */guard()/* comment */;module.exports = createCoreRouter('api::post.post');",
        require + "module.exports = createCoreController('api::post.post');",
        "const { createCoreRouter } = require('./mine').factories;"
        "module.exports = createCoreRouter('api::post.post');",
        import + "export default factories.createCoreRouter('api::post.post', { config: {} });",
        import + "export default factories.createCoreRouter('api::note.note' as const);",
        import + "export default factories.createCoreRouter('api::post.post' as const, {});",
        import + "export default factories.createCoreRouter('api::post.post' as guard());",
        import + "export default { routes: [] };",
        "module.exports = { routes: [{ method: 'GET', path: '/posts', handler: 'post.find' }] };",
    };
    for (auto const& source : cases)
        BOOST_TEST(!is_generated_router(source), source);
}

BOOST_AUTO_TEST_CASE(comments_are_no_code) {
    for (auto const* source : {"", "  \n", "// nothing yet", "/* nothing */ ;", "'use strict';"})
        BOOST_TEST(db::is_blank(source), source);
    for (auto const* source : {"x", "'text'", "/* */ module.exports = {};"})
        BOOST_TEST(!db::is_blank(source), source);
}

BOOST_FIXTURE_TEST_CASE(generated_files_make_no_type_customised, Fixture) {
    project.write("api/post/controllers/post.ts",
                  "import { factories } from '@strapi/strapi';\n"
                  "export default factories.createCoreController('api::post.post');");
    project.write("api/post/services/post.js",
                  "const { createCoreService } = require('@strapi/strapi').factories;\n"
                  "module.exports = createCoreService('api::post.post');");
    project.write("api/post/content-types/post/lifecycles.js", "// none\n");
    project.write("api/post/content-types/post/schema.d.ts", "export interface Post {}");
    project.write("api/post/documentation/1.0.0/post.json", "{}");
    BOOST_TEST(customised("api::post.post") == "");
    BOOST_TEST(customised("api::post.note") == "");
}

BOOST_FIXTURE_TEST_CASE(a_uid_as_const_is_generated_code_of_each_kind, Fixture) {
    std::pair<std::string, std::string> const cases[] = {{"routes", "createCoreRouter"},
                                                         {"controllers", "createCoreController"},
                                                         {"services", "createCoreService"}};
    for (auto const& [folder, factory] : cases)
        project.write("api/post/" + folder + "/post.ts",
                      "import { factories } from '@strapi/strapi';\nexport default factories." +
                          factory + "('api::post.post' as const);");
    BOOST_TEST(customised("api::post.post") == "");
    BOOST_TEST(load()->find_route("posts"));
}

BOOST_FIXTURE_TEST_CASE(code_named_after_a_type_is_that_types, Fixture) {
    std::string const code = "module.exports = () => ({ find() { return []; } });";
    for (auto const* file :
         {"routes/post.js", "controllers/post.js", "services/post.mjs", "policies/post.cjs",
          "content-types/post/lifecycles.ts", "middlewares/post.js", "routes/post.json"}) {
        BOOST_TEST_CONTEXT(file) {
            Fixture fixture;
            fixture.project.write(std::string("api/post/") + file, code);
            auto const reason = fixture.customised("api::post.post");
            BOOST_TEST(reason.find(file) != std::string::npos, reason);
            BOOST_TEST(fixture.customised("api::post.note") == "");
        }
    }
}

BOOST_FIXTURE_TEST_CASE(code_of_another_name_concerns_every_type_of_the_api, Fixture) {
    project.write("api/post/routes/01-custom.js", "module.exports = { routes: [] };");
    BOOST_TEST(customised("api::post.post") != "");
    BOOST_TEST(customised("api::post.note") != "");
}

BOOST_FIXTURE_TEST_CASE(a_controller_for_another_type_is_no_generated_one, Fixture) {
    project.write("api/post/controllers/post.js",
                  "const { createCoreController } = require('@strapi/strapi').factories;\n"
                  "module.exports = createCoreController('api::post.note');");
    BOOST_TEST(customised("api::post.post") != "");
}

BOOST_FIXTURE_TEST_CASE(a_plugins_types_are_customised_by_its_extension, Fixture) {
    BOOST_TEST(customised("plugin::users-permissions.user") == "");
    project.write("extensions/users-permissions/strapi-server.ts",
                  "export default (plugin) => plugin;");
    BOOST_TEST(customised("plugin::users-permissions.user") != "");
    BOOST_TEST(customised("plugin::users-permissions.role") != "");
    BOOST_TEST(customised("plugin::upload.file") == "");
    BOOST_TEST(customised("api::post.post") == "");
}

BOOST_FIXTURE_TEST_CASE(routes_exist_as_far_as_a_router_has_them, Fixture) {
    std::string const require = "const { createCoreRouter } = require('@strapi/strapi').factories;"
                                "module.exports = createCoreRouter('api::post.post'";
    std::tuple<std::string, bool, bool> const cases[] = {
        {require + ");", true, true},
        {require + ", { only: ['findOne'] });", false, true},
        {require + ", { except: ['find', 'create'] });", false, true},
        {require + ", { config: { find: { policies: ['own'] } } });", true, true},
        {"module.exports = { routes: [{ method: 'GET', path: '/p', handler: 'post.find' }] };",
         true, false},
        {"module.exports = { routes: [{ path: '/p', handler: 'api::post.post.findOne' }] };", false,
         true},
        {"", false, false},
    };
    for (auto const& [router, find, find_one] : cases)
        BOOST_TEST_CONTEXT(router) {
            project.write("api/post/routes/post.js", router);
            auto const schema = load();
            BOOST_TEST(schema->actions.contains("api::post.post.find") == find);
            BOOST_TEST(schema->actions.contains("api::post.post.findOne") == find_one);
            BOOST_TEST(schema->find(uid)->has_routes == (find || find_one));
            BOOST_TEST((schema->find_route("posts") != nullptr) == (find || find_one));
        }
    BOOST_TEST(load()->actions.contains("api::post.note.find"));
}

BOOST_FIXTURE_TEST_CASE(a_single_type_can_be_found_but_not_by_id, Fixture) {
    project.write("api/post/content-types/post/schema.json",
                  R"({"kind": "singleType",
                      "info": {"singularName": "post", "pluralName": "posts"}})");
    auto const schema = load();
    BOOST_TEST(schema->actions.contains("api::post.post.find"));
    BOOST_TEST(!schema->actions.contains("api::post.post.findOne"));
    BOOST_TEST(schema->find_route("post") == schema->find(uid));
    BOOST_TEST(!schema->find_route("posts"));
}

// As Strapi follows it.
BOOST_FIXTURE_TEST_CASE(code_behind_a_link_to_a_folder_counts, Fixture) {
    project.write("shared/post.js", "module.exports = { find() {} }");
    auto const api = project.folder() / "src/api/post";
    std::filesystem::create_directory_symlink(project.folder() / "src/shared", api / "controllers");
    BOOST_TEST(!customised(uid).empty());
}

BOOST_FIXTURE_TEST_CASE(links_that_lead_in_circles_end, Fixture) {
    auto const api = project.folder() / "src/api/post";
    for (auto const* name : {"one", "two", "three"})
        std::filesystem::create_directory_symlink(api, api / name);
    BOOST_TEST(load()->find(uid));
}

BOOST_AUTO_TEST_SUITE_END()
