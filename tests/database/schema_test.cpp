#include "tests/database/server.hpp"

#include "db/cms/tables.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

namespace {

using Strings = std::vector<std::string>;

struct DatabaseSchemaFixture {
    DatabaseSchemaFixture() {
        schema = db::load_schema(PROJECTS "/ks").value();
        auto const connection = server::open(server::reader());
        auto const tables = db::read_table_columns(*connection);
        BOOST_TEST_REQUIRE(tables.has_value(), tables.error().cause);
        db::read_columns(*schema, *tables);
        for (auto const& storage : schema->missing)
            problems.push_back(storage.what);
    }

    Strings columns(std::string_view uid) const {
        auto const& type = *schema->find(uid);
        Strings names;
        for (auto index : type.column_order)
            names.push_back(type.attributes.at(index).name);
        return names;
    }

    std::shared_ptr<db::Schema> schema;
    Strings problems;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(schema_and_database, DatabaseSchemaFixture)

// All tables and columns of the example were made by Strapi 4.26.
BOOST_AUTO_TEST_CASE(every_table_and_column_exists) {
    BOOST_TEST(problems == Strings{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(columns_are_in_the_order_of_the_tables) {
    BOOST_TEST(columns("api::homepage.homepage") ==
                   (Strings{"title", "createdAt", "updatedAt", "publishedAt", "locale"}),
               boost::test_tools::per_element());
    BOOST_TEST(columns("plugin::upload.file") ==
                   (Strings{"name", "alternativeText", "caption", "width", "height", "formats",
                            "hash", "ext", "mime", "size", "url", "previewUrl", "provider",
                            "provider_metadata", "folderPath", "createdAt", "updatedAt"}),
               boost::test_tools::per_element());
    BOOST_TEST(columns("api::reaction.reaction") ==
                   (Strings{"kind", "strength", "createdAt", "updatedAt"}),
               boost::test_tools::per_element());
}

// Strapi alone writes that row, and only what a site without it says of itself is believed.
BOOST_AUTO_TEST_CASE(a_cms_is_told_by_its_row_and_assumed_where_that_is_not_to_be_read) {
    auto const owner = server::open_owner();
    db::SqlPiece const set_up[] = {
        "CREATE DATABASE `bare`",
        "CREATE TABLE `bare`.`posts` (`id` INT)",
        "CREATE USER `narrow`@`localhost` IDENTIFIED BY 'narrow'",
        "GRANT SELECT ON `bare`.`posts` TO `narrow`@`localhost`",
    };
    for (auto const& statement : set_up)
        server::command(*owner, statement);
    auto const has_cms = [](db::DatabaseUrl url, std::string const& user = {}) {
        if (!user.empty()) url.user = url.password = user;
        return db::find_cms(*server::open(url)).value();
    };
    auto bare = server::owner();
    bare.name = "bare";
    BOOST_TEST(has_cms(server::reader()));
    BOOST_TEST(!has_cms(bare));
    BOOST_TEST(has_cms(bare, "narrow"));
    server::command(*owner,
                    db::SqlPiece("CREATE TABLE `bare`.`strapi_database_schema` (`id` INT)"));
    BOOST_TEST(!has_cms(bare));
    BOOST_TEST(has_cms(bare, "narrow"));
    server::command(*owner, db::SqlPiece("INSERT INTO `bare`.`strapi_database_schema` VALUES (1)"));
    BOOST_TEST(has_cms(bare));
    server::command(*owner, db::SqlPiece("DROP DATABASE `bare`"));
    server::command(*owner, db::SqlPiece("DROP USER `narrow`@`localhost`"));
}

// The CMS makes these columns for the types that a plugin may choose: see create-tables.
BOOST_AUTO_TEST_CASE(a_custom_field_has_the_type_that_its_column_was_made_for) {
    using Type = db::AttributeType;
    std::pair<char const*, Type> const fields[] = {
        {"colour", Type::string},  {"body", Type::richtext},    {"tags", Type::json},
        {"count", Type::integer},  {"large", Type::biginteger}, {"price", Type::decimal},
        {"ratio", Type::floating}, {"shown", Type::boolean},    {"day", Type::date},
        {"at", Type::datetime},    {"clock", Type::time},       {"gone", Type::string},
    };
    TemporaryProject project;
    std::string attributes = R"("plain": {"type": "string"})";
    for (auto const& [name, type] : fields)
        attributes += ", \"" + std::string(name) +
                      R"(": {"type": "customField", "customField": "plugin::a.b"})";
    project.type("post", attributes);
    auto const owner = server::open_owner();
    server::command(*owner, db::SqlPiece("CREATE DATABASE `fields`"));
    server::command(
        *owner,
        db::SqlPiece(
            "CREATE TABLE `fields`.`posts` (`id` int, `plain` json, `colour` varchar(255),"
            " `body` longtext, `tags` json, `count` int, `large` bigint, `price` decimal(10, 2),"
            " `ratio` double, `shown` tinyint(1), `day` date, `at` datetime(6), `clock` time(3))"));
    auto url = server::owner();
    url.name = "fields";
    auto const loaded = db::load_schema(project.folder()).value();
    BOOST_TEST(db::read_custom_fields(*server::open(url), *loaded).has_value());
    auto const& post = *loaded->find("api::post.post");
    for (auto const& [name, type] : fields)
        BOOST_TEST((post.find(name)->type == type), name);
    BOOST_TEST((post.find("plain")->type == Type::string));
    server::command(*owner, db::SqlPiece("DROP DATABASE `fields`"));
}

BOOST_AUTO_TEST_SUITE_END()
