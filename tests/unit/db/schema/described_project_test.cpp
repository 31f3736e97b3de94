#include "db/schema/description.hpp"
#include "db/schema/project_folder.hpp"
#include "db/schema/project_watch.hpp"
#include "db/schema/schema.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(described_project)

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

std::string const uid = "api::post.post";
std::string const user = "plugin::users-permissions.user";
std::string const code = "module.exports = () => ({ find() { return []; } });";

json::object type_of(std::string const& name, std::string const& attributes,
                     std::string const& more = "") {
    return json::parse(R"({"kind": "collectionType", "collectionName": ")" + name +
                       R"(s", "info": {"singularName": ")" + name + R"(", "pluralName": ")" + name +
                       R"(s"}, "attributes": {)" + attributes + "}" +
                       (more.empty() ? "" : ", " + more) + "}")
        .as_object();
}

// A project of the types `post` and `note`, described as it is.
struct Fixture {
    Fixture() {
        for (std::string const name : {"post", "note"}) {
            project.type(name, R"("title": {"type": "string"})");
            description.content_types["api::" + name + "." + name] =
                type_of(name, R"("title": {"type": "string"})");
            for (auto const* action : {"find", "findOne"})
                description.actions["api::" + name + "." + name][action] = {};
        }
        description.release = {5, 54, 0};
        for (auto const& file : fs::recursive_directory_iterator(project.folder()))
            if (file.is_regular_file())
                description.files[file.path().lexically_relative(project.folder())] =
                    db::sha256_of(db::read_text(file.path()).value()).substr(0, 16);
    }

    std::shared_ptr<db::Schema> load(std::vector<std::string> const& private_names = {}) const {
        db::SchemaOptions options{private_names, db::Version::strapi5};
        options.description = std::make_shared<db::Description const>(description);
        return db::load_schema(project.folder(), options).value();
    }

    // Why an action is handed over.
    std::string reason(std::string const& type, std::string const& action) const {
        return load()->find(type)->actions.at(action).handed_over;
    }

    TemporaryProject project;
    db::Description description;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(types_and_routes_are_those_of_the_description, Fixture) {
    description.content_types[uid] =
        type_of("post", R"("by_code": {"type": "string"}, "box": {"type": "component",
                           "component": "shared.box"})");
    description.components["shared.box"] = json::parse(
        R"({"collectionName": "boxes", "attributes": {"size": {"type": "integer"}}, "added": {}})");
    description.actions.erase("api::note.note");
    project.type("later", "");
    auto const schema = load();
    BOOST_TEST(schema->find(uid)->find("by_code"));
    BOOST_TEST(schema->find(uid)->find("createdAt"));
    BOOST_TEST(!schema->find(uid)->find("title"));
    BOOST_TEST(schema->find("shared.box")->find("size"));
    BOOST_TEST(!schema->find("api::later.later"));
    BOOST_TEST(schema->find_route("posts") == schema->find(uid));
    BOOST_TEST(!schema->find_route("notes"));
    BOOST_TEST(schema->actions.contains(uid + ".findOne"));
    BOOST_TEST(!schema->actions.contains("api::note.note.find"));
}

BOOST_FIXTURE_TEST_CASE(the_folder_of_the_project_need_not_be_there, Fixture) {
    description.files.clear();
    fs::remove_all(project.folder() / "src");
    BOOST_TEST(load()->find_route("posts"));
    BOOST_TEST(reason(uid, "find") == "");
}

BOOST_FIXTURE_TEST_CASE(an_attribute_is_hidden_if_either_hides_it, Fixture) {
    std::string const open = R"("title": {"type": "string"})";
    std::string const hidden = R"("title": {"type": "string", "private": true})";
    std::string const options = R"("options": {"privateAttributes": ["title"]})";
    struct {
        std::string described, in_file, more;
        std::vector<std::string> private_names;
        bool is_private;
    } const cases[] = {
        {open, open, "", {}, false},
        {hidden, open, "", {}, true},
        {open, hidden, "", {}, true},
        {open, open, options, {}, true},
        {open, open, "", {"title"}, true},
        {open, R"("title": {"type": "password"})", "", {}, true},
        {open, R"("title": {"type": "integer"})", "", {}, false},
        {open, "", "", {}, false},
    };
    for (auto const& [described, in_file, more, private_names, is_private] : cases) {
        BOOST_TEST_CONTEXT(described << ' ' << in_file << ' ' << more) {
            description.content_types[uid] = type_of("post", described);
            project.type("post", in_file, more);
            auto const schema = load(private_names);
            auto const* title = schema->find(uid)->find("title");
            BOOST_TEST_REQUIRE(title);
            BOOST_TEST(title->is_private == is_private);
            BOOST_TEST((title->type == db::AttributeType::string));
        }
    }
}

BOOST_FIXTURE_TEST_CASE(an_action_that_the_description_cannot_vouch_for_is_handed_over, Fixture) {
    auto& actions = description.actions[uid];
    actions["findOne"].handed_over = "its route has policies";
    BOOST_TEST(reason(uid, "find") == "");
    BOOST_TEST(reason(uid, "findOne") == "its route has policies");
    actions.erase("findOne");
    BOOST_TEST(reason(uid, "findOne") != "");
    actions["findOne"].needs_permission = false;
    BOOST_TEST(reason(uid, "findOne") != "");
    BOOST_TEST(!load()->actions.contains(uid + ".findOne"));
    description.handed_over = {"the entity service is decorated"};
    for (auto const& type : {uid, user, std::string("plugin::users-permissions.role")})
        BOOST_TEST(load()->find(type)->not_served == "the entity service is decorated");
}

BOOST_FIXTURE_TEST_CASE(actions_of_plugins_are_described_as_those_of_the_project, Fixture) {
    description.actions[user]["find"] = {};
    description.actions[user]["me"].handed_over = "controller me is at src/index.js:3";
    description.actions["plugin::i18n.locale"]["find"] = {};
    BOOST_TEST(reason(user, "find") == "");
    BOOST_TEST(reason(user, "me") == "controller me is at src/index.js:3");
    BOOST_TEST(reason(user, "count") != "");
    BOOST_TEST(reason("plugin::upload.file", "findPage") != "");
    BOOST_TEST(reason("plugin::i18n.locale", "find") == "");
    description.settings = json::parse(R"({"plugins": {"upload": "5.54.0"}})").as_object();
    auto const schema = load();
    BOOST_TEST(schema->find(user)->not_served != "");
    BOOST_TEST(schema->find("plugin::upload.file")->not_served == "");
    BOOST_TEST(!schema->actions.contains(user + ".find"));
    BOOST_TEST(schema->actions.contains("plugin::upload.content-api.find"));
}

BOOST_FIXTURE_TEST_CASE(a_type_has_locales_only_where_a_plugin_adds_them, Fixture) {
    std::string const localized = R"("pluginOptions": {"i18n": {"localized": true}}, "added": )";
    description.content_types[uid] = type_of("post", "", localized + R"({"locale": {}})");
    description.content_types["api::note.note"] = type_of("note", "", localized + "{}");
    BOOST_TEST(load()->find(uid)->localized);
    BOOST_TEST(!load()->find("api::note.note")->localized);
}

BOOST_FIXTURE_TEST_CASE(code_that_has_changed_hands_over_what_it_is_of, Fixture) {
    struct {
        char const* file;
        bool changes_post, changes_note, changes_user;
    } const cases[] = {
        {"src/api/post/controllers/post.js", true, false, false},
        {"src/api/post/routes/post.js", true, false, false},
        {"dist/src/api/post/services/post.js", true, false, false},
        {"src/api/note/content-types/note/lifecycles.js", false, true, false},
        {"src/extensions/users-permissions/strapi-server.js", false, false, true},
        {"src/api/post/content-types/post/schema.json", false, false, false},
        {"src/index.js", false, false, false},
        {"config/api.js", false, false, false},
    };
    for (auto const& [file, changes_post, changes_note, changes_user] : cases) {
        BOOST_TEST_CONTEXT(file) {
            Fixture fixture;
            fixture.description.actions[user]["find"] = {};
            bool const is_schema = fs::path(file).extension() == ".json";
            fixture.project.write(std::string("../") + file,
                                  is_schema ? json::serialize(type_of("post", "")) : code);
            BOOST_TEST(fixture.load()->changed_files == std::vector<std::string>{file});
            std::string const why =
                std::string(file) + " has changed since the description was made";
            BOOST_TEST(fixture.reason(uid, "find") == (changes_post ? why : ""));
            BOOST_TEST(fixture.reason(uid, "findOne") == (changes_post ? why : ""));
            BOOST_TEST(fixture.reason("api::note.note", "find") == (changes_note ? why : ""));
            BOOST_TEST(fixture.reason(user, "find") == (changes_user ? why : ""));
        }
    }
}

BOOST_FIXTURE_TEST_CASE(code_that_was_described_keeps_no_type_back, Fixture) {
    project.write("api/post/controllers/post.js", code);
    description.files["src/api/post/controllers/post.js"] = db::sha256_of(code).substr(0, 16);
    auto const schema = load();
    BOOST_TEST(schema->changed_files.empty());
    BOOST_TEST(schema->find(uid)->not_served == "");
    BOOST_TEST(reason(uid, "find") == "");
}

BOOST_FIXTURE_TEST_CASE(some_settings_leave_requests_to_the_cms, Fixture) {
    struct {
        char const* settings;
        bool sessions, files, parameters;
    } const cases[] = {
        {"{}", false, false, false},
        {R"({"jwtManagement": "legacy-support", "upload": {"private": false},
             "rest": {"strictParams": false}})",
         false, false, false},
        {R"({"jwtManagement": "refresh"})", true, false, false},
        {R"({"upload": {"private": true}})", false, true, false},
        {R"({"rest": {"strictParams": true}})", false, false, true},
    };
    for (auto const& [settings, sessions, files, parameters] : cases) {
        description.settings = json::parse(settings).as_object();
        auto const schema = load();
        BOOST_TEST(schema->has_sessions == sessions, settings);
        BOOST_TEST(schema->has_private_files == files, settings);
        BOOST_TEST(schema->refuses_parameters == parameters, settings);
    }
}

BOOST_FIXTURE_TEST_CASE(a_new_description_changes_the_stamp, Fixture) {
    db::ProjectPlace const place{project.folder(), project.folder() / "description.json"};
    auto const before = db::stamp_of(place);
    project.write("../description.json", "{}");
    BOOST_TEST((db::stamp_of(place) != before));
}

BOOST_AUTO_TEST_SUITE_END()
