#include "db/schema/schema.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

// Projects that Strapi 4.26 starts with, though something in them fits nothing.

namespace {

using Strings = std::vector<std::string>;

Strings left_out(db::Schema const& schema) {
    Strings all;
    for (auto const& [what, why] : schema.left_out) {
        all.push_back(what);
        BOOST_TEST(!why.empty());
    }
    return all;
}

// The `a` of a type with that attribute alone; null if it was left out.
db::Attribute const* attribute(std::shared_ptr<db::Schema> const& schema) {
    return schema->find("api::post.post")->find("a");
}

} // namespace

BOOST_AUTO_TEST_SUITE(schema_left_out)

// Each was tried with Strapi 4.26.2: it starts, answers the rest of the type, and never the
// attribute.
BOOST_AUTO_TEST_CASE(an_attribute_that_fits_nothing_is_left_out_and_the_rest_is_served) {
    char const* const cases[] = {
        R"("relation": "oneToMany", "target": "api::post.post", "mappedBy": "b")",
        R"("relation": "oneToOne", "target": "api::post.post", "mappedBy": "b")",
        R"("relation": "manyToMany", "target": "api::post.post", "mappedBy": "b")",
        R"("relation": "oneToMany", "target": "api::post.post", "mappedBy": "title")",
        R"("relation": "oneToMany", "target": "api::post.post", "mappedBy": null)",
        R"("relation": "oneToMany", "target": "api::no.no", "mappedBy": "b")",
        R"("relation": "oneToMany", "mappedBy": "b")",
        R"("relation": "morphMany", "target": "api::post.post")",
        R"("relation": "morphMany", "target": "api::post.post", "morphBy": "title")",
        R"("relation": "oneToOne", "target": "x.y")",
        // The plugin would have to run.
        R"("relation": "oneToOne", "target": "plugin::navigation.item")",
        R"("relation": "morphMany", "target": "plugin::navigation.item", "morphBy": "related")",
        R"("relation": "manyToMany", "target": "plugin::navigation.item", "inversedBy": "b")",
        R"("relation": "oneToOne", "target": "admin::permission")",
    };
    for (std::string const relation : cases) {
        TemporaryProject project;
        project.component("x", "y", "")
            .type("post", R"("title": {"type": "string"},
                             "a": {"type": "relation", )" +
                              relation + "}");
        auto const schema = project.load();
        BOOST_TEST_CONTEXT(relation) {
            BOOST_TEST(left_out(*schema) == Strings{"a of api::post.post"},
                       boost::test_tools::per_element());
            BOOST_TEST(!attribute(schema));
            BOOST_TEST(schema->find("api::post.post")->find("title"));
            BOOST_TEST(schema->find_route("posts"));
        }
    }
}

// Tried as well: `mappedBy` alone links nothing.
BOOST_AUTO_TEST_CASE(the_owning_side_alone_links_the_other_one) {
    struct {
        char const* owner; // members of `author` of a post
        bool answered;     // `posts` of an author
    } const cases[] = {
        {R"("relation": "manyToOne", "inversedBy": "posts")", true},
        {R"("relation": "manyToOne")", false},
        {R"("relation": "manyToOne", "inversedBy": "others")", false},
    };
    for (auto const& [owner, answered] : cases) {
        TemporaryProject project;
        project
            .type("post", R"("author": {"type": "relation", "target": "api::author.author", )" +
                              std::string(owner) + "}")
            .type("author", R"(
                "posts": {"type": "relation", "relation": "oneToMany",
                          "target": "api::post.post", "mappedBy": "author"},
                "others": {"type": "relation", "relation": "oneToMany",
                           "target": "api::post.post", "mappedBy": "author"})");
        auto const schema = project.load();
        auto const* posts = schema->find("api::author.author")->find("posts");
        BOOST_TEST_CONTEXT(owner) {
            BOOST_TEST((posts != nullptr) == answered);
            BOOST_TEST((posts && posts->other_side()) == answered);
            BOOST_TEST(schema->find("api::post.post")->find("author"));
        }
    }
}

// Strapi warns of it. Both are answered from the table of the one that it comes to last.
BOOST_FIXTURE_TEST_CASE(where_both_sides_own_a_relation_the_last_one_does, WithProject) {
    project
        .type("author", R"("posts": {"type": "relation", "relation": "manyToMany",
                           "target": "api::post.post", "inversedBy": "authors"})")
        .type("post", R"("authors": {"type": "relation", "relation": "manyToMany",
                         "target": "api::author.author", "inversedBy": "posts"})");
    auto const schema = project.load();
    auto const* posts = schema->find("api::author.author")->find("posts");
    auto const* authors = schema->find("api::post.post")->find("authors");
    BOOST_TEST_REQUIRE((posts && authors));
    BOOST_TEST(authors->owns_link);
    BOOST_TEST(!posts->owns_link);
    BOOST_TEST(authors->link.table == "posts_authors_links");
    BOOST_TEST(posts->link.table == "posts_authors_links");
    BOOST_TEST(posts->link.parent_column == "author_id");
}

// The rows behind such a pair would be of another type than the file says.
BOOST_FIXTURE_TEST_CASE(another_side_that_is_of_another_type_is_left_out, WithProject) {
    project
        .type("author", R"("posts": {"type": "relation", "relation": "oneToMany",
                           "target": "api::secret.secret", "mappedBy": "author"})")
        .type("post", R"("author": {"type": "relation", "relation": "manyToOne",
                         "target": "api::author.author", "inversedBy": "posts"})")
        .type("secret", "");
    BOOST_TEST(left_out(*project.load()) == Strings{"posts of api::author.author"},
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_zone_is_answered_without_the_components_that_do_not_exist, WithProject) {
    project.component("x", "y", "").type("post", R"(
        "a": {"type": "dynamiczone", "components": ["x.y", "x.gone", "api::post.post"]})");
    auto const schema = project.load();
    BOOST_TEST(left_out(*schema) == (Strings{"x.gone in a of api::post.post",
                                             "api::post.post in a of api::post.post"}),
               boost::test_tools::per_element());
    BOOST_TEST_REQUIRE(attribute(schema));
    BOOST_TEST_REQUIRE(attribute(schema)->targets.size() == 1U);
    BOOST_TEST(attribute(schema)->targets[0]->uid == "x.y");
}

BOOST_FIXTURE_TEST_CASE(what_only_code_declares_is_left_out_with_all_that_leads_there,
                        WithProject) {
    project.write("api/code/content-types/code/schema.js", "module.exports = {}")
        .write("api/typed/content-types/typed/schema.ts", "export default {}")
        .write("components/x/y.js", "module.exports = {}")
        .write("components/x/types.d.ts", "export interface Y {}")
        .type("post", R"(
            "a": {"type": "relation", "relation": "oneToOne", "target": "api::code.code"},
            "b": {"type": "relation", "relation": "oneToOne", "target": "api::typed.typed"},
            "c": {"type": "component", "component": "x.y"}, "title": {"type": "string"})");
    auto const schema = project.load();
    BOOST_TEST(left_out(*schema) ==
                   (Strings{"api::code.code", "api::typed.typed", "x.y", "a of api::post.post",
                            "b of api::post.post", "c of api::post.post"}),
               boost::test_tools::per_element());
    BOOST_TEST(schema->find("api::post.post")->find("title"));
    BOOST_TEST(!schema->find("x.y"));
}

// It may well say no more than what it changes, of a type that the plugin has in its code.
BOOST_FIXTURE_TEST_CASE(an_extension_of_an_unknown_plugin_is_left_out_where_it_is_not_whole,
                        WithProject) {
    project
        .write("extensions/navigation/content-types/item/schema.json",
               R"({"attributes": {"hidden": {"type": "boolean"}}})")
        .write("extensions/shop/content-types/order/schema.json",
               R"({"info": {"singularName": "order", "pluralName": "orders"},
                   "attributes": {"note": {"type": "string"}}})");
    auto const schema = project.load();
    BOOST_TEST(left_out(*schema) == Strings{"plugin::navigation.item"},
               boost::test_tools::per_element());
    BOOST_TEST(!schema->find("plugin::navigation.item"));
    BOOST_TEST(schema->find("plugin::shop.order"));
}

// Nothing else of the type changes by it.
BOOST_FIXTURE_TEST_CASE(private_stays_private_beside_what_is_left_out, WithProject) {
    project.type("post", R"(
        "a": {"type": "relation", "relation": "oneToMany", "target": "api::post.post",
              "mappedBy": "gone"},
        "secret": {"type": "string", "private": true}, "listed": {"type": "string"})",
                 R"("options": {"privateAttributes": ["listed", "a"]})");
    auto const schema = project.load();
    auto const& post = *schema->find("api::post.post");
    for (auto const* name : {"secret", "listed", "createdBy"})
        BOOST_TEST(post.find(name)->is_private, name);
}

BOOST_AUTO_TEST_SUITE_END()

// How Strapi 4.26 makes UIDs of the names of folders and files.
BOOST_AUTO_TEST_SUITE(schema_names)

BOOST_FIXTURE_TEST_CASE(components_are_known_in_lower_case_however_their_files_are_written,
                        WithProject) {
    project
        .write("components/Atomes/imageAndLink.json",
               R"({"collectionName": "components_images", "attributes": {}})")
        .type("post", R"("a": {"type": "component", "component": "atomes.imageandlink"})");
    auto const schema = project.load();
    BOOST_TEST_REQUIRE(attribute(schema));
    BOOST_TEST(attribute(schema)->target->uid == "atomes.imageandlink");
    BOOST_TEST(attribute(schema)->target->singular == "imageandlink");

    // As the file is written it is not found, and Strapi does not start.
    project.type("post", R"("a": {"type": "component", "component": "Atomes.imageAndLink"})");
    BOOST_TEST(db::load_schema(project.folder()).has_error());
}

BOOST_AUTO_TEST_CASE(types_are_known_in_kebab_case) {
    std::pair<char const*, char const*> const cases[] = {
        {"h1-page", "h1-page"},       {"page2", "page2"},     {"blogPost", "blog-post"},
        {"blog_post", "blog-post"},   {"Blog", "blog"},       {"a1b", "a1b"},
        {"2023-event", "2023-event"}, {"H1Page", "h-1-page"},
    };
    for (auto const& [folder, name] : cases) {
        TemporaryProject project;
        project.write("api/" + std::string(folder) + "/content-types/" + folder + "/schema.json",
                      R"({"info": {"singularName": "s", "pluralName": "p"}})");
        BOOST_TEST(project.load()->find("api::" + std::string(name) + '.' + name), folder);
    }
}

BOOST_FIXTURE_TEST_CASE(an_extension_is_found_in_any_letter_case, WithProject) {
    project.write("extensions/Users-Permissions/content-types/User/schema.json",
                  R"({"attributes": {"nick": {"type": "string"}}})");
    BOOST_TEST(project.load()->find("plugin::users-permissions.user")->find("nick"));
}

BOOST_FIXTURE_TEST_CASE(hidden_folders_and_files_do_not_count, WithProject) {
    project.type("post", "")
        .write("api/.old/content-types/note/schema.json", "{")
        .write("components/shared/._seo.json", "{")
        .write("components/.shared/seo.json", "{")
        .write("api/.DS_Store", "x")
        .write("components/notes.json", "{");
    BOOST_TEST(project.load()->find("api::post.post"));
}

BOOST_FIXTURE_TEST_CASE(a_file_may_have_bytes_that_are_no_text, WithProject) {
    project.type("post", R"("title": {"type": "string", "description": "caf)"
                         "\xE9"
                         R"("})");
    BOOST_TEST(project.load()->find("api::post.post")->find("title"));
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(schema_without_cms)

namespace {

// A type with the generated router, one without, one with code of its own, and a single type.
std::shared_ptr<db::Schema> site(bool has_cms) {
    TemporaryProject project;
    project.type("routed", "")
        .write("api/bare/content-types/bare/schema.json",
               R"({"info": {"singularName": "bare", "pluralName": "bares"}})")
        .write("api/home/content-types/home/schema.json",
               R"({"kind": "singleType", "info": {"singularName": "home", "pluralName": "homes"}})")
        .write("api/own/content-types/own/schema.json",
               R"({"info": {"singularName": "own", "pluralName": "owns"}})")
        .write("api/own/controllers/own.js", "module.exports = { find() {} }");
    auto schema = project.load();
    db::set_has_cms(*schema, has_cms);
    return schema;
}

} // namespace

BOOST_AUTO_TEST_CASE(types_without_router_files_are_served_where_no_cms_could_route_them) {
    auto const schema = site(false);
    BOOST_TEST(schema->find_route("bares") == schema->find("api::bare.bare"));
    BOOST_TEST(schema->find_route("home") == schema->find("api::home.home"));
    for (auto const* action : {"api::bare.bare.find", "api::bare.bare.findOne",
                               "api::home.home.find", "api::routed.routed.find"})
        BOOST_TEST(schema->actions.contains(action), action);
    BOOST_TEST(!schema->actions.contains("api::home.home.findOne"));
    BOOST_TEST(!schema->find_route("roles"));
}

BOOST_AUTO_TEST_CASE(with_a_cms_or_before_one_was_asked_for_only_routes_count) {
    auto const schema = site(true);
    BOOST_TEST(!schema->find_route("bares"));
    BOOST_TEST(!schema->find_route("home"));
    BOOST_TEST(schema->find_route("routeds"));
    BOOST_TEST(!schema->actions.contains("api::bare.bare.find"));
}

BOOST_AUTO_TEST_CASE(code_of_its_own_hides_a_type_with_a_cms_and_without) {
    for (bool const has_cms : {true, false}) {
        auto const schema = site(has_cms);
        BOOST_TEST(!schema->find_route("owns"));
        BOOST_TEST(!schema->find("api::own.own")->not_served.empty());
        BOOST_TEST(!schema->actions.contains("api::own.own.find"));
    }
}

BOOST_AUTO_TEST_SUITE_END()
