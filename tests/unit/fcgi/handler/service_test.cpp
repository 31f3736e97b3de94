#include "fcgi/handler/service.hpp"

#include "fcgi/handler/handle_request.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

// These tests have a service that no database answers.

BOOST_AUTO_TEST_SUITE(service)

namespace {

// Notes a word for each event that is observed.
struct Events {
    std::vector<std::string> words;

    fcgi::Observer observer() {
        return [this](fcgi::Event const& event) {
            auto const* notice = std::get_if<fcgi::Notice>(&event);
            if (!notice) return;
            if (notice->id == "schema-read") words.emplace_back("started");
            if (notice->id == "reloaded") words.emplace_back("read");
            if (notice->id == "schema-kept") words.emplace_back("kept");
            if (notice->id == "left-out") words.emplace_back(notice->words[0]);
        };
    }
};

using Strings = std::vector<std::string>;

fcgi::Options options_of(TemporaryProject const& project) {
    fcgi::Options options;
    options.schema = project.folder();
    options.connections = 1;
    return options;
}

// The response to a GET.
fcgi::Response get(fcgi::Service& service, std::string_view path) {
    fcgi::Request request;
    request.method = "GET";
    request.path = path;
    fcgi::Response response;
    fcgi::RequestContext context;
    fcgi::handle_request(service, request, response, context);
    return response;
}

constexpr auto title = R"("title": {"type": "string"})";

} // namespace

// The operator before the database, and that before the files.
BOOST_AUTO_TEST_CASE(a_schema_is_of_the_version_that_knows_best) {
    using enum db::Version;
    using Maybe = std::optional<db::Version>;
    struct {
        Maybe option;
        Maybe database;
        char const* package;
        db::Version expected;
    } const table[] = {
        {{}, {}, "{}", strapi4},
        {{}, {}, R"({"dependencies": {"@strapi/strapi": "5.54.0"}})", strapi5},
        {{}, strapi4, R"({"dependencies": {"@strapi/strapi": "5.54.0"}})", strapi4},
        {{}, strapi5, "{}", strapi5},
        {strapi4, strapi5, "{}", strapi4},
        {strapi5, strapi4, R"({"dependencies": {"@strapi/strapi": "4.26.2"}})", strapi5},
    };
    for (auto const& [option, database, package, expected] : table) {
        TemporaryProject project;
        project.write("../package.json", package);
        auto options = options_of(project);
        options.strapi = option;
        auto const schema = fcgi::read_schema(options, database).value();
        BOOST_TEST((schema->cms.version == expected));
        auto const* users = schema->find("plugin::users-permissions.user");
        BOOST_TEST(users->has_documents == (expected == strapi5));
    }
}

// The least that a CMS says of a project without types, with these actions of files.
void describe(TemporaryProject& project, std::string const& actions) {
    project.write("../description.json",
                  R"({"format": 1, "strapi": "5.12.0", "settings": {}, "contentTypes": {},
                      "components": {}, "files": {}, "actions": {"plugin::upload.file": )" +
                      actions + "}}");
}

BOOST_AUTO_TEST_CASE(a_description_says_the_release) {
    TemporaryProject project;
    auto options = options_of(project);
    options.description = project.folder() / "description.json";
    BOOST_TEST((fcgi::read_schema(options).value()->cms.version == db::Version::strapi4));
    describe(project, "{}");
    auto const schema = fcgi::read_schema(options).value();
    BOOST_TEST((schema->cms.version == db::Version::strapi5));
    BOOST_TEST(schema->release->text() == "5.12.0");
}

// It may hide what the files of the project show.
BOOST_AUTO_TEST_CASE(a_description_that_cannot_be_read_leaves_all_to_the_cms) {
    TemporaryProject project;
    project.type("post", title);
    auto options = options_of(project);
    options.description = project.folder() / "description.json";
    BOOST_TEST(fcgi::read_schema(options).value()->find("api::post.post")->not_served == "");
    for (auto const text : {"", "{", R"({"format": 2})"}) {
        project.write("../description.json", text);
        auto const schema = fcgi::read_schema(options).value();
        BOOST_TEST(schema->find("api::post.post")->not_served != "", text);
        BOOST_TEST(schema->find("plugin::upload.file")->not_served != "", text);
    }
}

BOOST_AUTO_TEST_CASE(an_action_whose_middlewares_set_a_header_of_ours_is_left_to_the_cms) {
    struct {
        char const* header;
        bool is_left;
    } const table[] = {{"x-site", false},       {"Vary", true},
                       {"cache-control", true}, {"Access-Control-Allow-Origin", true},
                       {"set-cookie", true},    {"X-Accel-Redirect", true},
                       {"Content-Type", true},  {"Surrogate-Key", true}};
    for (auto const& [header, is_left] : table) {
        TemporaryProject project;
        auto options = options_of(project);
        options.surrogate_key = "Surrogate-Key";
        options.description = project.folder() / "description.json";
        describe(project, R"({"find": {"path": "/", "effect": {"headers": {")" +
                              std::string(header) + R"(": "1"}}}})");
        auto const schema = fcgi::read_schema(options).value();
        auto const& files = *schema->find("plugin::upload.file");
        BOOST_TEST(files.actions.at("find").handed_over.empty() != is_left, header);
    }
}

BOOST_AUTO_TEST_CASE(the_owner_names_what_is_handed_over) {
    TemporaryProject project;
    project.type("post", title);
    project.type("note", title);
    auto options = options_of(project);
    options.handed_over = {"api::post.post.findOne", "api::note.note"};
    auto const schema = fcgi::read_schema(options).value();
    auto const has_route = [&](std::string const& path) {
        return fcgi::find_route("/api/" + path, "/api", *schema).kind != nullptr;
    };
    BOOST_TEST(has_route("posts"));
    BOOST_TEST(!has_route("posts/1"));
    BOOST_TEST(!has_route("notes"));
    BOOST_TEST(!has_route("notes/1"));
}

BOOST_AUTO_TEST_CASE(it_starts_without_a_database_and_reports_what_it_read) {
    TemporaryProject project;
    project.type(
        "post",
        std::string(title) +
            R"(, "a": {"type": "relation", "relation": "oneToOne", "target": "admin::permission"})");
    Events events;
    auto const service = fcgi::Service::create(options_of(project), events.observer());
    BOOST_TEST_REQUIRE(service.has_value(), service.error().message);
    BOOST_TEST(events.words == (Strings{"started", "a of api::post.post"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(it_does_not_start_with_what_can_not_be_served) {
    TemporaryProject project;
    project.write("api/post/content-types/post/schema.json", "{");
    Events events;
    auto const service = fcgi::Service::create(options_of(project), events.observer());
    BOOST_TEST_REQUIRE(service.has_error());
    BOOST_TEST((service.error().kind == parser::ErrorKind::configuration));
    BOOST_TEST(events.words.empty());
}

BOOST_AUTO_TEST_CASE(a_reload_keeps_the_schema_that_can_be_served) {
    TemporaryProject project;
    project.type("post", title);
    Events events;
    auto const service = fcgi::Service::create(options_of(project), events.observer()).value();
    service->reload();
    project.write("api/post/content-types/post/schema.json", "{");
    service->reload();
    project.type("post", title);
    service->reload();
    BOOST_TEST(events.words == (Strings{"started", "read", "kept", "read"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(requests_are_told_to_come_back_while_no_database_answers) {
    TemporaryProject project;
    project.type("post", title);
    auto const service = fcgi::Service::create(options_of(project)).value();
    BOOST_TEST((service->state(fcgi::Freshness()).error().kind == parser::ErrorKind::unreachable));
    std::pair<std::string_view, int> const rows[] = {
        {"/_health", 204}, {"/_ready", 503}, {"/api/posts", 502}, {"/api/nothing", 502}};
    for (auto const& [path, status] : rows)
        BOOST_TEST(get(*service, path).status == status, path);
}

BOOST_AUTO_TEST_SUITE_END()
