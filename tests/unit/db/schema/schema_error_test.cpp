#include "db/schema/schema.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <unistd.h>

BOOST_AUTO_TEST_SUITE(schema_errors)

namespace {

std::string const file = "api/post/content-types/post/schema.json";

// While there is one, files are read as by an account with no rights of its own.
struct Nobody {
    Nobody() { BOOST_TEST_REQUIRE((is_root && ::seteuid(65534) != 0) == false); }
    ~Nobody() { BOOST_TEST_REQUIRE((is_root && ::seteuid(0) != 0) == false); }
    bool const is_root = ::geteuid() == 0;
};

// The error of a project whose one type is `content`, which it must have.
std::string error_of(std::string const& content, std::string const& path = file) {
    TemporaryProject project;
    project.write(path, content);
    auto const schema = db::load_schema(project.folder());
    BOOST_TEST_REQUIRE(schema.has_error());
    return schema.error().message;
}

// The error of a type with these attributes.
std::string attribute_error(std::string const& attributes) {
    return error_of(R"({"info": {"singularName": "post", "pluralName": "posts"}, "attributes": {)" +
                    attributes + "}}");
}

void check_contains(std::string const& text, std::string const& part) {
    BOOST_TEST(text.find(part) != std::string::npos, part << " is not in " << text);
}

} // namespace

BOOST_AUTO_TEST_CASE(a_folder_without_a_project_is_refused) {
    auto const schema = db::load_schema("/nowhere");
    BOOST_TEST_REQUIRE(schema.has_error());
    check_contains(schema.error().message,
                   "expected the folder of a Strapi project, with src/api/ in it, not '/nowhere'");
}

// Strapi ends at each of these when it starts.
BOOST_AUTO_TEST_CASE(what_can_not_be_read_is_named_with_the_reason) {
    namespace fs = std::filesystem;
    char const* const cases[] = {
        "src/api",
        "src/api/post",
        "src/api/post/content-types",
        "src/api/post/content-types/post",
        "src/api/post/content-types/post/schema.json",
        "src/api/post/routes",
        "src/api/post/routes/post.js",
        "src/api/post/services/deep",
        "src/components/shared",
        "src/components/shared/seo.json",
        "src/extensions",
    };
    for (std::string const path : cases) {
        TemporaryProject project;
        project.type("post", "").component("shared", "seo", "");
        fs::create_directories(project.folder() / "src/api/post/services/deep");
        fs::create_directories(project.folder() / "src/extensions");
        fs::permissions(project.folder(), fs::perms(0755));
        auto const hidden = project.folder() / path;
        fs::permissions(hidden, fs::perms::none);
        auto const error = [&] {
            Nobody const account;
            auto const schema = db::load_schema(project.folder());
            return schema ? "it loads" : schema.error().message;
        }();
        fs::permissions(hidden, fs::perms(0755));
        BOOST_TEST_CONTEXT(path) {
            check_contains(error, project.folder() / path.substr(0, path.rfind('/')));
            check_contains(error, ": Permission denied");
        }
    }
}

BOOST_FIXTURE_TEST_CASE(a_folder_in_the_place_of_a_file_is_named, WithProject) {
    std::filesystem::create_directories(project.folder() / "src" / file);
    check_contains(db::load_schema(project.folder()).error().message,
                   "post/schema.json: Is a directory");
}

BOOST_AUTO_TEST_CASE(a_malformed_file_is_named_with_what_was_expected) {
    std::pair<std::string, std::string> const cases[] = {
        {"[]", "expected a JSON object"},
        {"{}", "info.singularName: expected a string that is not empty"},
        {R"({"info": {"singularName": "post"}})", "info.pluralName: expected a string"},
        {R"({"info": "post"})", "info: expected an object, received \"post\""},
        {R"({"info": {"singularName": 7}})", "info.singularName: expected a string, received 7"},
        {R"({"info": {"singularName": "a", "pluralName": "b"}, "collectionName": []})",
         "collectionName: expected a string, received []"},
        {R"({"info": {"singularName": "a", "pluralName": "b"}, "attributes": []})",
         "attributes: expected an object"},
        {R"({"info": {"singularName": "a", "pluralName": "b"},
             "options": {"privateAttributes": "x"}})",
         "options.privateAttributes: expected a list of strings"},
    };
    for (auto const& [content, expected] : cases)
        BOOST_TEST_CONTEXT(content) {
            auto const error = error_of(content);
            check_contains(error, std::string(file) + ": ");
            check_contains(error, expected);
        }
}

BOOST_AUTO_TEST_CASE(a_file_that_is_no_json_is_named_with_the_line_where_it_ends_to_be) {
    std::pair<std::string, std::string> const cases[] = {
        {"", ":1: expected JSON"},
        {"{", ":1: expected JSON"},
        {"{} x", ":1: expected JSON"},
        {"{\n  \"kind\": \"collectionType\",\n  \"info\": }\n", ":3: expected JSON"},
        {"{\n  \"kind\": \"collectionType\",\n}\n", ":3: expected JSON"},
        {"<<<<<<< HEAD\n{}\n", ":1: expected JSON"},
        {"{}\n\n{}", ":3: expected JSON"},
    };
    for (auto const& [content, expected] : cases)
        BOOST_TEST_CONTEXT(content) {
            check_contains(error_of(content), file + expected);
        }
}

BOOST_AUTO_TEST_CASE(a_component_needs_a_collection_name) {
    auto const error = error_of(R"({"attributes": {}})", "components/shared/seo.json");
    check_contains(error, "components/shared/seo.json: collectionName: expected a string");
}

BOOST_AUTO_TEST_CASE(a_wrong_attribute_is_named_with_what_was_expected) {
    std::pair<std::string, std::string> const cases[] = {
        {R"("a": "string")", "attributes.a: expected an object"},
        {R"("a": {})", "attributes.a.type: expected a string that is not empty"},
        {R"("a": {"type": "strng"})", "attributes.a.type: expected an attribute type"},
        {R"("a": {"type": "relation"})", "attributes.a.relation: expected a string"},
        {R"("a": {"type": "relation", "relation": "oneToNone"})",
         "attributes.a.relation: expected a kind of relation, received \"oneToNone\""},
        {R"("a": {"type": "relation", "relation": "oneToOne"})",
         "attributes.a.target: expected a string"},
        {R"("a": {"type": "relation", "relation": "oneToOne", "target": "api::no.no"})",
         "attributes.a.target: expected the UID of a content type, received \"api::no.no\""},
        {R"("a": {"type": "relation", "relation": "morphMany", "target": "api::post.post",
                  "morphBy": "b"})",
         "attributes.a.morphBy: expected an attribute of api::post.post, received \"b\""},
        {R"("id": {"type": "string"})", "attributes.id: expected another name"},
        {R"("a": {"type": "component"})", "attributes.a.component: expected a string"},
        {R"("a": {"type": "component", "component": "x.y"})",
         "attributes.a.component: expected the UID of a component, received \"x.y\""},
        {R"("a": {"type": "component", "component": "plugin::upload.file"})",
         "attributes.a.component: expected the UID of a component"},
        {R"("a": {"type": "dynamiczone", "components": "x.y"})",
         "attributes.a.components: expected a list of strings"},
        {R"("someName": {"type": "string"}, "some_name": {"type": "string"})",
         "attributes.some_name: expected a column of its own, but `some_name` belongs to"},
    };
    for (auto const& [attributes, expected] : cases)
        BOOST_TEST_CONTEXT(attributes) {
            auto const error = attribute_error(attributes);
            check_contains(error, std::string(file) + ": ");
            check_contains(error, expected);
        }
}

BOOST_AUTO_TEST_CASE(the_sides_of_a_relation_must_agree) {
    std::string const relation = R"("type": "relation", "target": "api::post.post", )";
    std::pair<std::string, std::string> const cases[] = {
        {R"("relation": "manyToOne", "inversedBy": "b")",
         "attributes.a.inversedBy: expected a relation of api::post.post, received \"b\""},
        {R"("relation": "manyToOne", "mappedBy": "b")",
         "attributes.a.mappedBy: expected inversedBy instead, because the many side owns"},
        {R"("relation": "manyToMany", "inversedBy": null)",
         "attributes.a.inversedBy: expected a relation of api::post.post, received \"\""},
        {R"("relation": "oneToMany", "inversedBy": "a")",
         "attributes.a.inversedBy: expected mappedBy"},
    };
    for (auto const& [sides, expected] : cases)
        check_contains(attribute_error("\"a\": {" + relation + sides + "}"), expected);
}

BOOST_AUTO_TEST_CASE(a_table_or_a_name_in_the_url_belongs_to_one_type) {
    TemporaryProject tables;
    tables.type("post", "").write("api/post/content-types/note/schema.json", R"({
        "collectionName": "posts", "info": {"singularName": "note", "pluralName": "notes"}})");
    auto error = db::load_schema(tables.folder()).error().message;
    check_contains(error, "expected a table of its own, but `posts` belongs to");
    check_contains(error, "content-types/post/schema.json");
    check_contains(error, "content-types/note/schema.json");

    TemporaryProject routes;
    routes.type("post", "").type("note", "").write("api/note/content-types/note/schema.json", R"({
        "collectionName": "notes", "info": {"singularName": "note", "pluralName": "Posts"}})");
    error = db::load_schema(routes.folder()).error().message;
    check_contains(error, "expected a name in the URL of its own, but `posts` belongs to");
}

BOOST_AUTO_TEST_SUITE_END()
