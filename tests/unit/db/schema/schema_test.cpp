#include "db/schema/schema.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

BOOST_AUTO_TEST_SUITE(schema)

namespace {

// A project with each kind of attribute, whose tables Strapi 4.26 made.
db::Schema const& example() {
    return *example_schema();
}

db::Attribute const& attribute(db::Schema const& schema, std::string_view uid,
                               std::string_view name) {
    auto const* type = schema.find(uid);
    BOOST_TEST_REQUIRE(type, "no type " << uid);
    auto const* found = type->find(name);
    BOOST_TEST_REQUIRE(found, "no attribute " << name << " of " << uid);
    return *found;
}

// `table: parent -> target [target_type] [by order] [where column=value…]`; the place first unless
// it is a table of its own.
std::string written(db::Link const& link) {
    std::string text;
    if (link.storage == db::Link::Storage::none) return "none";
    if (link.storage == db::Link::Storage::parent_column) text = "own row ";
    if (link.storage == db::Link::Storage::target_column) text = "related row ";
    text += link.table + ": " + link.parent_column + " -> " + link.target_column;
    if (!link.target_type_column.empty()) text += ' ' + link.target_type_column;
    if (!link.order_column.empty()) text += " by " + link.order_column;
    if (!link.field_column.empty()) text += " where " + link.field_column + "=" + link.field;
    if (!link.parent_type_column.empty())
        text += " where " + link.parent_type_column + "=" + link.parent_type;
    return text;
}

std::vector<std::string> names(db::ContentType const& type) {
    std::vector<std::string> all;
    for (auto const& attribute : type.attributes)
        all.push_back(attribute.name);
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(links_are_where_strapi_stores_them) {
    struct {
        char const* type;
        char const* attribute;
        char const* target; // empty: named row by row, or by the zone
        bool many;
        char const* link;
    } const cases[] = {
        // Both sides of a relation, with the order that each side sees.
        {"api::article.article", "category", "api::category.category", false,
         "articles_category_links: article_id -> category_id"},
        {"api::category.category", "articles", "api::article.article", true,
         "articles_category_links: category_id -> article_id by article_order"},
        {"api::article.article", "tags", "api::tag.tag", true,
         "articles_tags_links: article_id -> tag_id by tag_order"},
        {"api::tag.tag", "articles", "api::article.article", true,
         "articles_tags_links: tag_id -> article_id by article_order"},
        {"api::author.author", "profile", "api::profile.profile", false,
         "authors_profile_links: author_id -> profile_id"},
        {"api::profile.profile", "author", "api::author.author", false,
         "authors_profile_links: profile_id -> author_id"},
        {"plugin::users-permissions.user", "role", "plugin::users-permissions.role", false,
         "up_users_role_links: user_id -> role_id"},
        {"plugin::users-permissions.role", "users", "plugin::users-permissions.user", true,
         "up_users_role_links: role_id -> user_id by user_order"},
        {"admin::user", "roles", "admin::role", true,
         "admin_users_roles_links: user_id -> role_id by role_order"},
        // One side only.
        {"api::article.article", "reviewer", "plugin::users-permissions.user", false,
         "articles_reviewer_links: article_id -> user_id"},
        {"api::article.article", "faqs", "api::faq.faq", true,
         "articles_faqs_links: article_id -> faq_id by faq_order"},
        {"api::faq.faq", "category", "api::category.category", false,
         "kb_faq_entries_category_links: faq_id -> category_id"},
        {"api::long.long", "many_products", "api::product.product", true,
         "a_rather_long_collection_name_x_many_products_links: long_id -> product_id by "
         "product_order"},
        // A relation to the same type.
        {"api::node.node", "parent", "api::node.node", false,
         "nodes_parent_links: node_id -> inv_node_id"},
        {"api::node.node", "children", "api::node.node", true,
         "nodes_parent_links: inv_node_id -> node_id by node_order"},
        {"api::node.node", "friends", "api::node.node", true,
         "nodes_friends_links: node_id -> inv_node_id by node_order"},
        {"api::node.node", "friendOf", "api::node.node", true,
         "nodes_friends_links: inv_node_id -> node_id by inv_node_order"},
        {"api::event.event", "previousEvent", "api::event.event", false,
         "events_next_event_links: inv_event_id -> event_id"},
        {"api::article.article", "relatedArticles", "api::article.article", true,
         "articles_related_articles_links: article_id -> inv_article_id by article_order"},
        {"api::article.article", "localizations", "api::article.article", true,
         "articles_localizations_links: article_id -> inv_article_id by article_order"},
        // The columns of a component have the name of its file.
        {"blocks.related-articles", "articles", "api::article.article", true,
         "components_blocks_related_articles_articles_links: related_articles_id -> article_id by "
         "article_order"},
        {"shared.link", "page", "api::page.page", false,
         "components_shared_links_page_links: link_id -> page_id"},
        // Columns of the entry's own row.
        {"api::article.article", "createdBy", "admin::user", false,
         "own row articles: id -> created_by_id"},
        {"api::tag.tag", "updatedBy", "admin::user", false, "own row tags: id -> updated_by_id"},
        // Components and zones.
        {"api::article.article", "seo", "shared.seo", false,
         "articles_components: entity_id -> component_id by order where field=seo"},
        {"api::product.product", "variants", "shop.variant", true,
         "products_components: entity_id -> component_id by order where field=variants"},
        {"shared.seo", "metaSocial", "shared.meta-social", true,
         "components_shared_seos_components: entity_id -> component_id by order where "
         "field=metaSocial"},
        {"api::page.page", "zone", "", true,
         "pages_components: entity_id -> component_id component_type by order where field=zone"},
        // Media.
        {"api::article.article", "cover", "plugin::upload.file", false,
         "files_related_morphs: related_id -> file_id by order where field=cover where "
         "related_type=api::article.article"},
        {"blocks.gallery", "images", "plugin::upload.file", true,
         "files_related_morphs: related_id -> file_id by order where field=images where "
         "related_type=blocks.gallery"},
        {"plugin::users-permissions.user", "avatar", "plugin::upload.file", false,
         "files_related_morphs: related_id -> file_id by order where field=avatar where "
         "related_type=plugin::users-permissions.user"},
        // Polymorphic relations and their inverse.
        {"plugin::upload.file", "related", "", true,
         "files_related_morphs: file_id -> related_id related_type by order"},
        {"api::comment.comment", "related", "", true,
         "comments_related_morphs: comment_id -> related_id related_type by order"},
        {"api::article.article", "comments", "api::comment.comment", true,
         "comments_related_morphs: related_id -> comment_id by order where field=comments where "
         "related_type=api::article.article"},
        {"api::reaction.reaction", "subject", "", false,
         "own row reactions: id -> target_id target_type"},
        {"api::product.product", "reactions", "api::reaction.reaction", true,
         "related row reactions: target_id -> id where target_type=api::product.product"},
        {"api::product.product", "bestReview", "api::reaction.reaction", false,
         "related row reactions: target_id -> id where target_type=api::product.product"},
        // A scalar has none.
        {"api::article.article", "title", "", false, "none"},
    };
    for (auto const& [type, name, target, many, link] : cases)
        BOOST_TEST_CONTEXT(type << '.' << name) {
            auto const& found = attribute(example(), type, name);
            BOOST_TEST(written(found.link) == link);
            BOOST_TEST(found.many == many);
            BOOST_TEST((found.target ? found.target->uid : "") == target);
            BOOST_TEST(found.is_polymorphic() ==
                       (!found.is_scalar() && std::string_view(target).empty()));
        }
}

BOOST_FIXTURE_TEST_CASE(a_column_in_the_own_row_replaces_the_link_table_on_request, WithProject) {
    project
        .type("book", R"("mainAuthor": {"type": "relation", "relation": "manyToOne",
            "target": "api::author.author", "inversedBy": "books", "useJoinTable": false})")
        .type("author", R"("books": {"type": "relation", "relation": "oneToMany",
            "target": "api::book.book", "mappedBy": "mainAuthor"})");
    auto const loaded = project.load();
    BOOST_TEST(written(attribute(*loaded, "api::book.book", "mainAuthor").link) ==
               "own row books: id -> main_author_id");
    BOOST_TEST(written(attribute(*loaded, "api::author.author", "books").link) ==
               "related row books: main_author_id -> id");
}

BOOST_FIXTURE_TEST_CASE(types_of_the_same_name_have_an_inverse_column, WithProject) {
    project.type("article", R"("title": {"type": "string"})")
        .component("blocks", "article", R"("articles": {"type": "relation",
            "relation": "oneToMany", "target": "api::article.article"})");
    auto const loaded = project.load();
    BOOST_TEST(written(attribute(*loaded, "blocks.article", "articles").link) ==
               "components_blocks_articles_articles_links: article_id -> inv_article_id by "
               "article_order");
}

BOOST_FIXTURE_TEST_CASE(a_link_table_is_named_in_snake_case_as_a_whole, WithProject) {
    project.component("x", "y", R"("a": {"type": "string"})");
    project.write("api/h1-page/content-types/h1-page/schema.json", R"({
        "collectionName": "h1_pages", "info": {"singularName": "h1-page", "pluralName": "h1-pages"},
        "attributes": {
          "tags": {"type": "relation", "relation": "oneToMany", "target": "api::h1-page.h1-page"},
          "seo": {"type": "component", "component": "x.y"}}})");
    auto const loaded = project.load();
    BOOST_TEST(written(attribute(*loaded, "api::h1-page.h1-page", "tags").link) ==
               "h_1_pages_tags_links: h_1_page_id -> inv_h_1_page_id by h_1_page_order");
    BOOST_TEST(attribute(*loaded, "api::h1-page.h1-page", "seo").link.table ==
               "h1_pages_components");
}

BOOST_AUTO_TEST_CASE(attributes_keep_their_order_and_the_implicit_ones_follow) {
    auto const of_page = names(*example().find("api::page.page"));
    std::vector<std::string> const expected = {
        "title",       "slug",        "layout",    "publishOn",  "zone",          "sidebar",
        "privateZone", "mainHero",    "seo",       "parentPage", "childPages",    "createdAt",
        "updatedAt",   "publishedAt", "createdBy", "updatedBy",  "localizations", "locale"};
    BOOST_TEST(of_page == expected, boost::test_tools::per_element());
    auto const of_component = names(*example().find("contact.social"));
    BOOST_TEST(of_component == (std::vector<std::string>{"network", "handle", "followers"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(an_implicit_attribute_replaces_a_declared_one, WithProject) {
    project.type("post", R"("createdAt": {"type": "string", "private": true},
                            "title": {"type": "string"})");
    auto const loaded = project.load();
    auto const& created = attribute(*loaded, "api::post.post", "createdAt");
    BOOST_TEST(!created.is_private);
    BOOST_TEST((created.type == db::AttributeType::datetime));
    BOOST_TEST(std::ranges::count(names(*loaded->find("api::post.post")), "createdAt") == 1);
}

BOOST_AUTO_TEST_CASE(a_type_says_what_it_is) {
    auto const& page = *example().find("api::page.page");
    BOOST_TEST((page.kind == db::ContentType::Kind::collection));
    BOOST_TEST(page.draft_and_publish);
    BOOST_TEST(page.localized);
    BOOST_TEST(!page.populate_creator_fields);
    auto const& about = *example().find("api::about.about");
    BOOST_TEST((about.kind == db::ContentType::Kind::single));
    BOOST_TEST(!about.draft_and_publish);
    BOOST_TEST(!about.localized);
    auto const& social = *example().find("shared.meta-social");
    BOOST_TEST((social.kind == db::ContentType::Kind::component));
    BOOST_TEST(social.singular == "meta-social");
    auto const& zone = attribute(example(), "api::page.page", "sidebar");
    BOOST_TEST(zone.targets.size() == 2U);
    BOOST_TEST(zone.targets.at(0)->uid == "blocks.quote");
    BOOST_TEST(zone.targets.at(1)->uid == "blocks.cta-list");
}

BOOST_AUTO_TEST_CASE(every_attribute_type_is_known) {
    using Type = db::AttributeType;
    std::pair<char const*, Type> const cases[] = {
        {"aString", Type::string},     {"a_text", Type::text},
        {"aRichtext", Type::richtext}, {"aBlocks", Type::json},
        {"anEnum", Type::enumeration}, {"anEmail", Type::email},
        {"aPassword", Type::password}, {"aUid", Type::uid},
        {"aDate", Type::date},         {"aTime", Type::time},
        {"aDatetime", Type::datetime}, {"aTimestamp", Type::timestamp},
        {"anInteger", Type::integer},  {"aBiginteger", Type::biginteger},
        {"aFloat", Type::floating},    {"aDecimal", Type::decimal},
        {"aBoolean", Type::boolean},   {"aJson", Type::json},
    };
    for (auto const& [name, type] : cases)
        BOOST_TEST((attribute(example(), "api::scalar.scalar", name).type == type), name);
    TemporaryProject project;
    project.type("post", R"("colour": {"type": "customField", "customField": "plugin::c.colour"})");
    auto const loaded = project.load();
    BOOST_TEST((attribute(*loaded, "api::post.post", "colour").type == Type::string));
}

BOOST_AUTO_TEST_CASE(names_are_found_exactly_and_routes_in_any_case) {
    auto const& article = *example().find("api::article.article");
    BOOST_TEST(article.find("view_count"));
    BOOST_TEST(!article.find("View_count"));
    BOOST_TEST(!article.find("id"));
    BOOST_TEST(article.find_by_column("published_at") == article.find("publishedAt"));
    BOOST_TEST(!article.find_by_column("publishedAt"));
    BOOST_TEST(!article.find_by_column(""));
    BOOST_TEST(!example().find("api::article"));

    BOOST_TEST(example().find_route("articles") == &article);
    BOOST_TEST(example().find_route("ARTICLES") == &article);
    BOOST_TEST(example().find_route("homepage") == example().find("api::homepage.homepage"));
    for (auto const* name : {"article", "homepages", "kb_faq_entries", "users", "files", ""})
        BOOST_TEST(!example().find_route(name), name);
}

BOOST_FIXTURE_TEST_CASE(private_attributes_are_named_in_three_places, WithProject) {
    project.type("post", R"("a": {"type": "string", "private": true}, "b": {"type": "string"},
                            "c": {"type": "string"}, "d": {"type": "string"})",
                 R"("options": {"privateAttributes": ["b", "createdAt"]})");
    project.component("x", "y", R"("c": {"type": "string"})");
    auto const loaded = project.load({{"c"}});
    auto const& post = *loaded->find("api::post.post");
    for (auto const* name : {"a", "b", "c", "createdAt", "createdBy", "updatedBy"})
        BOOST_TEST(post.find(name)->is_private, name);
    for (auto const* name : {"d", "updatedAt"})
        BOOST_TEST(!post.find(name)->is_private, name);
    BOOST_TEST(loaded->find("x.y")->find("c")->is_private);
}

BOOST_FIXTURE_TEST_CASE(creators_are_public_where_the_type_says_so, WithProject) {
    project.type("post", "", R"("options": {"populateCreatorFields": true})");
    auto const loaded = project.load();
    auto const& created_by = attribute(*loaded, "api::post.post", "createdBy");
    BOOST_TEST(created_by.is_creator);
    BOOST_TEST(!created_by.is_private);
    BOOST_TEST(loaded->find("api::post.post")->populate_creator_fields);
    BOOST_TEST(!attribute(*loaded, "api::post.post", "createdAt").is_creator);
}

BOOST_FIXTURE_TEST_CASE(a_type_without_collection_name_has_a_default_table, WithProject) {
    project.write("api/Blog/content-types/blogPost/schema.json",
                  R"({"info": {"singularName": "blog-post", "pluralName": "blog-posts"}})");
    project.write("extensions/shop/content-types/order/schema.json",
                  R"({"info": {"singularName": "order", "pluralName": "orders"}})");
    project.write("api/gamma/content-types/gamma/schema.json",
                  R"({"collectionName": "",
                      "info": {"singularName": "gamma", "pluralName": "gammas"}})");
    auto const loaded = project.load();
    BOOST_TEST(loaded->find("api::gamma.gamma")->table == "gamma");
    BOOST_TEST_REQUIRE(loaded->find("api::blog.blog-post"));
    BOOST_TEST(loaded->find("api::blog.blog-post")->table == "blog-post");
    BOOST_TEST_REQUIRE(loaded->find("plugin::shop.order"));
    BOOST_TEST(loaded->find("plugin::shop.order")->table == "shop_order");
}

BOOST_FIXTURE_TEST_CASE(the_source_folder_itself_will_do_and_a_byte_order_mark_too, WithProject) {
    project.write(
        "api/post/content-types/post/schema.json",
        "\xEF\xBB\xBF{\"info\": {\"singularName\": \"post\", \"pluralName\": \"posts\"}}");
    BOOST_TEST(db::load_schema(project.folder()).has_value());
    BOOST_TEST(db::load_schema(project.folder() / "src").has_value());
}

BOOST_AUTO_TEST_CASE(dependencies_are_those_of_the_package_beside_the_source) {
    struct {
        char const* package;
        char const* version; // of @strapi/strapi; null: it is no dependency
    } const cases[] = {
        {R"({"dependencies": {"@strapi/strapi": "4.26.2", "mysql2": "3"}})", "4.26.2"},
        {R"({"dependencies": {"@strapi/strapi": 4}})", nullptr},
        {R"({"devDependencies": {"@strapi/strapi": "4.26.2"}})", nullptr},
        {R"({"dependencies": []})", nullptr},
        {"no JSON", nullptr},
    };
    TemporaryProject project;
    BOOST_TEST(project.load()->dependencies.empty());
    for (auto const& [package, version] : cases) {
        project.write("../package.json", package);
        for (auto const& folder : {project.folder(), project.folder() / "src"}) {
            auto const dependencies = db::load_schema(folder).value()->dependencies;
            auto const found = dependencies.find("@strapi/strapi");
            BOOST_TEST((found == dependencies.end()) == !version, package);
            if (version && found != dependencies.end()) BOOST_TEST(found->second == version);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(builtin)

namespace {

std::string const user_file = "extensions/users-permissions/content-types/user/schema.json";

} // namespace

// Tables and secrets as Strapi 4.26 has them.
BOOST_FIXTURE_TEST_CASE(every_project_has_the_types_of_the_plugins, WithProject) {
    auto const schema = project.load();
    std::pair<char const*, char const*> const tables[] = {
        {"plugin::upload.file", "files"},
        {"plugin::upload.folder", "upload_folders"},
        {"plugin::users-permissions.user", "up_users"},
        {"plugin::users-permissions.role", "up_roles"},
        {"plugin::users-permissions.permission", "up_permissions"},
        {"plugin::i18n.locale", "i18n_locale"},
        {"admin::user", "admin_users"},
        {"admin::role", "admin_roles"},
    };
    for (auto const& [uid, table] : tables) {
        BOOST_TEST_REQUIRE(schema->find(uid), uid);
        BOOST_TEST(schema->find(uid)->table == table);
    }
}

BOOST_FIXTURE_TEST_CASE(secrets_of_users_are_private_and_not_searchable, WithProject) {
    auto const schema = project.load();
    std::pair<char const*, char const*> const secrets[] = {
        {"plugin::users-permissions.user", "password"},
        {"plugin::users-permissions.user", "resetPasswordToken"},
        {"plugin::users-permissions.user", "confirmationToken"},
        {"admin::user", "password"},
        {"admin::user", "resetPasswordToken"},
        {"admin::user", "registrationToken"},
        {"plugin::upload.file", "folderPath"},
    };
    for (auto const& [uid, name] : secrets) {
        BOOST_TEST(schema->find(uid)->find(name)->is_private, name);
        BOOST_TEST(!schema->find(uid)->find(name)->searchable, name);
    }
    for (auto const* name : {"email", "isActive", "blocked", "roles"})
        BOOST_TEST(schema->find("admin::user")->find(name)->is_private, name);
    BOOST_TEST(schema->find("plugin::upload.file")->find("folder")->is_private);
}

BOOST_FIXTURE_TEST_CASE(an_extension_replaces_the_attributes_as_a_whole, WithProject) {
    project.write(user_file, R"({"attributes": {
        "username": {"type": "string"}, "nickname": {"type": "string"},
        "role": {"type": "relation", "relation": "manyToOne", "inversedBy": "users",
                 "target": "plugin::users-permissions.role"}}})");
    auto const schema = project.load();
    auto const& user = *schema->find("plugin::users-permissions.user");
    BOOST_TEST(user.find("nickname"));
    BOOST_TEST(!user.find("email"));
    BOOST_TEST(user.find("createdAt"));
    // Everything that the extension does not name stays.
    BOOST_TEST(user.table == "up_users");
    BOOST_TEST(user.singular == "user");
}

BOOST_FIXTURE_TEST_CASE(an_extension_may_rename_the_table, WithProject) {
    project.write(user_file, R"({"collectionName": "members"})");
    auto const schema = project.load();
    auto const& user = *schema->find("plugin::users-permissions.user");
    BOOST_TEST(user.table == "members");
    BOOST_TEST(user.find("role")->link.table == "members_role_links");
    BOOST_TEST(schema->find("plugin::users-permissions.role")->find("users")->link.table ==
               "members_role_links");
}

BOOST_FIXTURE_TEST_CASE(plugins_have_the_actions_of_their_read_routes, WithProject) {
    auto const schema = project.load();
    for (auto const* action :
         {"plugin::users-permissions.user.find", "plugin::users-permissions.user.me",
          "plugin::users-permissions.role.find", "plugin::upload.content-api.findOne",
          "plugin::i18n.locales.listLocales"})
        BOOST_TEST(schema->actions.contains(action), action);
    for (auto const* action : {"plugin::upload.file.find", "plugin::upload.folder.find",
                               "plugin::i18n.locale.find", "admin::user.find"})
        BOOST_TEST(!schema->actions.contains(action), action);
    BOOST_TEST(schema->find("plugin::users-permissions.user")->has_routes);
    BOOST_TEST(!schema->find("plugin::upload.folder")->has_routes);
}

BOOST_AUTO_TEST_SUITE_END()
