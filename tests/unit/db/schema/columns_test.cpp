#include "db/schema/columns.hpp"
#include "db/schema/schema.hpp"
#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace {

// A project of one type and the tables that the database has for it.
struct ColumnsFixture {
    ColumnsFixture() {
        project.type("post", R"("title": {"type": "string"}, "body": {"type": "text"},
            "related": {"type": "relation", "relation": "oneToMany", "target": "api::post.post"})");
        schema = project.load();
    }

    std::vector<std::string> column_order() const {
        auto const& post = *schema->find("api::post.post");
        std::vector<std::string> names;
        for (auto index : post.column_order)
            names.push_back(post.attributes.at(index).name);
        return names;
    }

    // Those about the project's own type; the built-in tables are missing in each of these tests.
    std::vector<std::string> problems(db::TableColumns const& tables) {
        std::vector<std::string> own;
        db::read_columns(*schema, tables);
        for (auto const& lack : schema->missing)
            if (lack.what.find("api::") != std::string::npos) own.push_back(lack.what);
        return own;
    }

    TemporaryProject project;
    std::shared_ptr<db::Schema> schema;
};

using Strings = std::vector<std::string>;

} // namespace

BOOST_FIXTURE_TEST_SUITE(schema_columns, ColumnsFixture)

BOOST_AUTO_TEST_CASE(columns_are_in_schema_order_until_the_database_tells) {
    BOOST_TEST(column_order() == (Strings{"title", "body", "createdAt", "updatedAt"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(columns_are_in_the_order_of_the_table) {
    BOOST_TEST(problems({{"posts",
                          {{"id"},
                           {"body"},
                           {"created_at"},
                           {"updated_at"},
                           {"created_by_id"},
                           {"updated_by_id"},
                           {"old_column"},
                           {"title"}}},
                         {"posts_related_links",
                          {{"post_id"}, {"inv_post_id"}, {"post_order"}}}}) == Strings{},
               boost::test_tools::per_element());
    BOOST_TEST(column_order() == (Strings{"body", "createdAt", "updatedAt", "title"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_column_can_hold_is_known_of_the_database) {
    using db::Repertoire;
    project.type("post", R"("title": {"type": "string"}, "body": {"type": "text"},
        "seen": {"type": "boolean"}, "kept": {"type": "boolean"})");
    schema = project.load();
    auto const posts = [](char const* character_set, char const* type) {
        return db::TableColumns{{"posts",
                                 {{"id", "int(10) unsigned"},
                                  {"title", "varchar(255)", "utf8mb4"},
                                  {"body", "longtext", character_set},
                                  {"seen", "tinyint(1)"},
                                  {"kept", type}}}};
    };
    auto const& post = *schema->find("api::post.post");
    BOOST_TEST(post.find("kept")->is_tinyint); // until the database tells
    db::read_columns(*schema, posts("utf8mb4", "tinyint(1) unsigned"));
    BOOST_TEST(!schema->has_narrow_columns);
    BOOST_TEST(post.find("kept")->is_tinyint);
    db::read_columns(*schema, posts("latin1", "int(11)"));
    BOOST_TEST(schema->has_narrow_columns);
    BOOST_TEST((post.find("title")->repertoire == Repertoire::unicode));
    BOOST_TEST((post.find("body")->repertoire == Repertoire::latin1));
    BOOST_TEST(post.find("seen")->is_tinyint);
    BOOST_TEST(!post.find("kept")->is_tinyint);
}

BOOST_AUTO_TEST_CASE(a_missing_column_is_reported_and_left_out) {
    auto const found = problems(
        {{"posts",
          {{"id"}, {"body"}, {"updated_at"}, {"created_by_id"}, {"updated_by_id"}, {"created_at"}}},
         {"posts_related_links", {{"post_id"}, {"inv_post_id"}}}});
    Strings const expected = {
        "table `posts_related_links` has no column `post_order`; attribute related of "
        "api::post.post needs it",
        "table `posts` has no column `title`; attribute title of api::post.post needs it"};
    BOOST_TEST(found == expected, boost::test_tools::per_element());
    BOOST_TEST(column_order() == (Strings{"body", "updatedAt", "createdAt"}),
               boost::test_tools::per_element());
    BOOST_TEST(!schema->find("api::post.post")->find("title"));
    BOOST_TEST(!schema->find("api::post.post")->find("related"));
    BOOST_TEST(schema->find("api::post.post")->find("body"));
}

// Else a draft would look published, and an entry like one of any locale.
BOOST_AUTO_TEST_CASE(a_type_without_its_table_or_what_tells_drafts_and_locales_is_not_served) {
    project.type("post", "", R"("options": {"draftAndPublish": true},
        "pluginOptions": {"i18n": {"localized": true}})");
    std::pair<db::TableColumns, bool> const table[] = {
        {{}, false},
        {{{"posts", {{"id"}, {"created_at"}, {"updated_at"}, {"published_at"}, {"locale"}}}}, true},
        {{{"posts", {{"id"}, {"created_at"}, {"updated_at"}, {"locale"}}}}, false},
        {{{"posts", {{"id"}, {"created_at"}, {"updated_at"}, {"published_at"}}}}, false},
        {{{"posts", {{"created_at"}, {"updated_at"}, {"published_at"}, {"locale"}}}}, false},
    };
    for (auto const& [tables, served] : table) {
        schema = project.load();
        problems(tables);
        BOOST_TEST(schema->find("api::post.post")->not_served.empty() == served);
    }
}

BOOST_AUTO_TEST_CASE(a_relation_to_a_type_without_table_is_taken_out) {
    project.type("note", R"("post": {"type": "relation", "relation": "oneToOne",
        "target": "api::post.post"})");
    schema = project.load();
    problems(
        {{"notes", {{"id"}, {"created_at"}, {"updated_at"}, {"created_by_id"}, {"updated_by_id"}}},
         {"notes_post_links", {{"note_id"}, {"post_id"}}}});
    BOOST_TEST(!schema->find("api::note.note")->find("post"));
    BOOST_TEST(schema->find("api::note.note")->find("createdAt"));
}

BOOST_AUTO_TEST_CASE(a_missing_table_is_reported_once) {
    Strings const expected = {"table `posts_related_links` does not exist; api::post.post needs it",
                              "table `posts` does not exist; api::post.post needs it"};
    BOOST_TEST(problems({}) == expected, boost::test_tools::per_element());
    BOOST_TEST(column_order().size() == 4U);
}

// Those that came within Strapi 5: databases of earlier releases lack nothing.
BOOST_AUTO_TEST_CASE(what_not_every_release_has_is_not_missed) {
    schema = project.load({{}, db::Version::strapi5});
    db::read_columns(*schema, {{"files", {{"id"}, {"name"}}}, {"strapi_api_tokens", {{"id"}}}});
    auto const missed = [&](std::string_view column) {
        return std::ranges::any_of(schema->missing, [&](db::MissingStorage const& lack) {
            return lack.what.find("`" + std::string(column) + "`") != lack.what.npos;
        });
    };
    BOOST_TEST(missed("hash"));
    BOOST_TEST(missed("access_key"));
    for (auto const* column : {"focal_point", "kind", "encrypted_key"})
        BOOST_TEST(!missed(column), column);
}

BOOST_AUTO_TEST_CASE(a_server_may_know_tables_in_lower_case_only) {
    project.write("api/post/content-types/post/schema.json",
                  R"({"collectionName": "BlogPosts", "attributes": {},
                      "info": {"singularName": "post", "pluralName": "posts"}})");
    schema = project.load();
    db::TableColumns const tables = {
        {"blogposts",
         {{"id"}, {"created_at"}, {"updated_at"}, {"created_by_id"}, {"updated_by_id"}}}};
    BOOST_TEST(problems(tables) == Strings{}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(repertoire)

BOOST_AUTO_TEST_CASE(a_character_set_holds_its_characters) {
    std::tuple<char const*, bool, bool> const table[] = {
        {"", true, true},
        {"plain ~ \x7f", true, true},
        {"\u00a0 Äpfel ÿ", true, true},
        {"€ „Š” ž Ÿ", true, true}, // of Windows-1252
        {"\u0081", true, true},    // MySQL's latin1 holds what Windows-1252 leaves out
        {"\u0080", false, true},   // in whose place the latter has €
        {"\u0100", false, true},
        {"Ж", false, true},
        {"a€Ж", false, true},
        {"\ufffd \uffff", false, true},
        {"\U00010000", false, false},
        {"so 😀", false, false},
    };
    for (auto const& [text, in_latin1, in_utf8mb3] : table) {
        BOOST_TEST(db::holds(db::repertoire_of("latin1"), text) == in_latin1, text);
        for (char const* set : {"utf8mb3", "utf8", "ucs2"})
            BOOST_TEST(db::holds(db::repertoire_of(set), text) == in_utf8mb3, set << ' ' << text);
        for (char const* set : {"utf8mb4", "cp1251", ""})
            BOOST_TEST(db::holds(db::repertoire_of(set), text), set << ' ' << text);
    }
}

BOOST_AUTO_TEST_SUITE_END()
