#include "db/content/create_tables.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

BOOST_AUTO_TEST_SUITE(layout)

namespace {

// The statements for an empty database, or the error's message.
std::string creation(std::string const& attributes, std::string const& name = "thing",
                     db::Version version = db::Version::strapi4) {
    TemporaryProject project;
    project.type(name, attributes);
    auto const schema = db::load_schema(project.folder(), {{}, version});
    BOOST_TEST_REQUIRE(schema.has_value());
    auto const statements = db::creation_of(**schema, nullptr, "");
    if (!statements) return statements.error().message;
    std::string text;
    for (auto const& statement : *statements)
        text += statement.str() + ";\n";
    return text;
}

bool contains(std::string const& text, std::string const& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

// The words are those of Strapi 4.26's query builder, knex 3, the types those it makes of them.
BOOST_AUTO_TEST_CASE(a_column_type_overrides_that_of_the_attribute) {
    std::pair<char const*, char const*> const cases[] = {
        {R"({"type": "string"})", "varchar(255) NULL"},
        {R"({"type": "string", "columnType": {"type": "string", "args": [40]}})",
         "varchar(40) NULL"},
        {R"({"type": "string", "columnType": {"type": "text", "args": ["longtext"]}})",
         "longtext NULL"},
        {R"({"type": "text", "columnType": {"type": "text", "args": ["mediumtext"]}})",
         "mediumtext NULL"},
        {R"({"type": "text", "columnType": {"type": "text"}})", "text NULL"},
        {R"({"type": "decimal"})", "decimal(10, 2) NULL"},
        {R"({"type": "decimal", "columnType": {"type": "decimal", "args": [20, 6]}})",
         "decimal(20, 6) NULL"},
        {R"({"type": "integer", "columnType": {"type": "bigInteger"}})", "bigint NULL"},
        {R"({"type": "integer", "column": {"unsigned": true}})", "int unsigned NULL"},
        {R"({"type": "float", "columnType": {"type": "float"}})", "float(8, 2) NULL"},
        {R"({"type": "datetime"})", "datetime(6) NULL"},
        {R"({"type": "datetime", "columnType": {"type": "datetime", "args": [{"precision": 3}]}})",
         "datetime(3) NULL"},
        {R"({"type": "json"})", "json NULL"},
        {R"({"type": "boolean"})", "tinyint(1) NULL"},
    };
    for (auto const& [declared, type] : cases)
        BOOST_TEST(contains(creation(std::string("\"field\": ") + declared),
                            std::string("`field` ") + type + " DEFAULT NULL"),
                   declared << " should be " << type);
}

BOOST_AUTO_TEST_CASE(a_unique_column_has_an_index) {
    auto const sql = creation(R"("field": {"type": "string", "column": {"unique": true}})");
    BOOST_TEST(contains(sql, "UNIQUE KEY `things_field_unique` (`field`)"));
    BOOST_TEST(!contains(creation(R"("field": {"type": "string", "unique": true})"),
                         "things_field_unique"));
}

BOOST_AUTO_TEST_CASE(a_relation_without_link_table_is_a_column_with_a_foreign_key) {
    auto const sql = creation(R"("other": {"type": "relation", "relation": "oneToOne",
        "target": "api::thing.thing", "useJoinTable": false})");
    BOOST_TEST(contains(sql, "`other_id` int unsigned NULL DEFAULT NULL"));
    BOOST_TEST(contains(sql, "KEY `things_other_id_fk` (`other_id`)"));
    BOOST_TEST(contains(sql, "CONSTRAINT `things_other_id_fk` FOREIGN KEY (`other_id`) "
                             "REFERENCES `things` (`id`) ON DELETE SET NULL"));
}

BOOST_AUTO_TEST_CASE(what_can_not_be_declared_is_named) {
    BOOST_TEST(creation(R"("place": {"type": "string", "columnType": {"type": "geometry"}})") ==
               "table `things`: expected a columnType of string, text, json, integer, bigint, "
               "float, double, decimal, boolean, date, time, datetime or timestamp for `place`");
    std::string const name(65, 'x');
    BOOST_TEST(creation('"' + name + R"(": {"type": "string"})") ==
               "table `things`: expected names of at most 64 characters, but `" + name +
                   "` has 65");
}

// Every table has an `id`, and a content type the column of who created it.
BOOST_AUTO_TEST_CASE(two_columns_of_one_name_are_refused) {
    std::pair<std::string, std::string> const cases[] = {
        {"Id", "id"}, {"ID", "id"}, {"created_by_id", "created_by_id"}};
    for (auto const& [attribute, column] : cases)
        BOOST_TEST(creation('"' + attribute + R"(": {"type": "string"})") ==
                   "table `things`: expected another name for the attribute of column `" + column +
                       "`, which the table already has");
}

// FoodAdvisor has such a relation. The table's name fits, those of its keys would not.
BOOST_AUTO_TEST_CASE(a_key_whose_name_is_too_long_has_a_shorter_one) {
    std::string const attribute(50, 'x'); // things_xxx…_links: 63 characters
    auto const sql = creation('"' + attribute + R"(": {"type": "relation",
        "relation": "oneToMany", "target": "api::thing.thing"})");
    std::string const table = "things_" + attribute + "_links";
    BOOST_TEST(contains(sql, "CREATE TABLE `" + table + "` "));
    std::set<std::string> names;
    for (std::size_t at = 0; (at = sql.find("KEY `things_x", at)) != sql.npos; ++at) {
        auto const name = sql.substr(at + 5, sql.find('`', at + 5) - at - 5);
        BOOST_TEST(name.size() <= 64U, name);
        names.insert(name);
    }
    BOOST_TEST(names.size() == 4U); // of both columns, of the pair, of the order
}

// As Strapi 5.54's own identifiers make them of this collectionName.
BOOST_AUTO_TEST_CASE(keys_of_strapi_5_are_shortened_part_by_part) {
    auto const sql =
        creation(R"("a_field_that_is_unique": {"type": "string", "column": {"unique": true}})",
                 "thing_of_a_name_that_is_longer_than_what_is_left_for_keys", db::Version::strapi5);
    for (auto const* name :
         {"CREATE TABLE `thing_of_a_name_that_is_longer_than_what_is_left_f0d77f` ",
          "KEY `thing_of_a_name_that_is_longer_than_0d77f_documents_idx` ",
          "CONSTRAINT `thing_of_a_name_that_is_longer_th4f819_created_by_id_fk` ",
          "UNIQUE KEY `thing_of_a_name_that_is_4f819_a_field_that_is_unique_uq` "})
        BOOST_TEST(contains(sql, name), name);
}

// In Strapi 5 two rows of a document have the same.
BOOST_AUTO_TEST_CASE(a_uid_is_unique_in_strapi_4_alone) {
    std::string const uid = R"("slug": {"type": "uid"})";
    BOOST_TEST(contains(creation(uid), "things_slug_unique"));
    auto const sql = creation(uid, "thing", db::Version::strapi5);
    BOOST_TEST(contains(sql, "`slug` varchar(255) NULL"));
    BOOST_TEST(!contains(sql, "things_slug_u"));
}

// No table refers to one that is made later, unless a later statement adds the key.
BOOST_AUTO_TEST_CASE(tables_come_before_those_that_refer_to_them) {
    auto const sql = creation(R"("many": {"type": "relation", "relation": "oneToMany",
        "target": "api::thing.thing"})");
    auto const made = sql.find("CREATE TABLE `things` ");
    auto const linked = sql.find("CREATE TABLE `things_many_links` ");
    BOOST_TEST_REQUIRE(made != std::string::npos);
    BOOST_TEST_REQUIRE(linked != std::string::npos);
    BOOST_TEST(made < linked);
    BOOST_TEST(sql.find("REFERENCES `admin_users`") < sql.find("START TRANSACTION"));
}

BOOST_AUTO_TEST_SUITE_END()
