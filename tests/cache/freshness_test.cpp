#include "fixture.hpp"

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

// Every change takes effect on the next request, whatever the response was made from.

using namespace cache_test;
using db::SqlPiece;

BOOST_AUTO_TEST_SUITE(freshness)

namespace {

struct Change {
    char const* name;
    Request request; // whose response changes
    SqlPiece change;
    SqlPiece back;
};

Change const changes[] = {
    {"content",
     {"/api/tags?filters[id]=1"},
     "UPDATE tags SET name = 'gold' WHERE id = 1",
     "UPDATE tags SET name = 'copper' WHERE id = 1"},
    {"a count",
     {"/api/tags?fields=id&pagination[pageSize]=1"},
     "INSERT INTO tags (id, name) VALUES (9001, 'new')",
     "DELETE FROM tags WHERE id = 9001"},
    {"a link",
     {"/api/articles/2?fields=id&populate[tags][fields]=id"},
     "UPDATE articles_tags_links SET tag_id = 1 WHERE id = 1",
     "UPDATE articles_tags_links SET tag_id = 25 WHERE id = 1"},
    {"what is filtered by",
     {"/api/articles?fields=id&filters[tags][name]=gold"},
     "UPDATE tags SET name = 'gold' WHERE id = 25",
     "UPDATE tags SET name = 'beacon' WHERE id = 25"},
    {"what is sorted by",
     {"/api/articles?fields=id&sort=author.name,id"},
     "UPDATE authors SET name = CONCAT(CHAR(122 - id % 20), name)",
     "UPDATE authors SET name = SUBSTRING(name, 2)"},
    {"what a limited relation is sorted by, in an entry beyond the limit",
     {"/api/categories?fields=id&filters[id]=1&populate[articles][fields]=id"
      "&populate[articles][sort]=updatedAt:desc&populate[articles][limit]=1"},
     "UPDATE articles SET updated_at = '2030-01-01' WHERE id = 44",
     "UPDATE articles SET updated_at = created_at WHERE id = 44"},
    {"a file",
     {"/api/articles?populate=*&pagination[pageSize]=100"},
     "UPDATE files SET url = CONCAT(url, '?1')",
     "UPDATE files SET url = SUBSTRING_INDEX(url, '?1', 1)"},
    {"a component",
     {"/api/articles?populate=*&pagination[pageSize]=100"},
     "DELETE FROM articles_components WHERE entity_id IN (1, 2, 3, 4, 5) AND field = 'seo'",
     "DO 0"},
    {"a permission of the public",
     {"/api/tags"},
     "DELETE FROM up_permissions_role_links WHERE permission_id = 38",
     "INSERT INTO up_permissions_role_links (permission_id, role_id) VALUES (38, 2)"},
    {"a permission of what is populated",
     {"/api/articles/2?fields=id&populate[tags][fields]=id"},
     "UPDATE up_permissions SET action = 'api::none.none.find' WHERE id = 38",
     "UPDATE up_permissions SET action = 'api::tag.tag.find' WHERE id = 38"},
    {"the role of a user",
     {"/api/secrets", "jwt:bob"},
     "UPDATE up_users_role_links SET role_id = 2 WHERE user_id = 2",
     "UPDATE up_users_role_links SET role_id = 3 WHERE user_id = 2"},
    {"a role that goes",
     {"/api/secrets", "jwt:bob"},
     "UPDATE up_users_role_links SET role_id = NULL WHERE user_id = 2",
     "UPDATE up_users_role_links SET role_id = 3 WHERE user_id = 2"},
    {"a user who is blocked",
     {"/api/tags", "jwt:alice"},
     "UPDATE up_users SET blocked = 1 WHERE id = 1",
     "UPDATE up_users SET blocked = 0 WHERE id = 1"},
    {"a token that expires",
     {"/api/tags", "full"},
     "UPDATE strapi_api_tokens SET expires_at = '2020-01-01' WHERE id = 2",
     "UPDATE strapi_api_tokens SET expires_at = NULL WHERE id = 2"},
    {"the type of a token",
     {"/api/faqs", "readonly"},
     "UPDATE strapi_api_tokens SET type = 'custom' WHERE id = 1",
     "UPDATE strapi_api_tokens SET type = 'read-only' WHERE id = 1"},
    {"a permission of a token",
     {"/api/articles", "custom"},
     "DELETE FROM strapi_api_token_permissions_token_links WHERE id = 1",
     "INSERT INTO strapi_api_token_permissions_token_links VALUES (1, 1, 3, 1)"},
    {"the default locale",
     {"/api/articles?fields=title"},
     "UPDATE strapi_core_store_settings SET value = '\"fr\"' WHERE id = 62",
     "UPDATE strapi_core_store_settings SET value = '\"en\"' WHERE id = 62"},
    {"a locale",
     {"/api/i18n/locales"},
     "UPDATE i18n_locale SET name = 'Gaulish' WHERE id = 2",
     "UPDATE i18n_locale SET name = 'French (fr)' WHERE id = 2"},
    {"all rows at once",
     {"/api/profiles?fields=id"},
     "CREATE TABLE kept_profiles AS SELECT * FROM profiles",
     "DROP TABLE kept_profiles"},
};

// The effect is there when the call returns.
void run(db::Connection& owner, SqlPiece sql) {
    server::command(owner, sql);
}

} // namespace

BOOST_AUTO_TEST_CASE(what_changes_takes_effect_on_the_next_request) {
    Keeping const keeping;
    Uncached const uncached;
    auto const owner = open_owner();
    for (auto const& [name, request, change, back] : changes) {
        auto const before = keeping.ask_until_cached(request);
        BOOST_TEST(before.status == 200, name);
        BOOST_TEST((text_of(before) == text_of(uncached.ask(request))), name);
        run(*owner, change);
        auto const after = keeping.ask(request);
        BOOST_TEST((text_of(after) == text_of(uncached.ask(request))),
                   name << after.body.substr(0, 200));
        bool const is_seen = std::string(name) != "all rows at once"; // it moved nothing
        BOOST_TEST((after.body != before.body) == is_seen, name);
        run(*owner, back);
        auto const again = keeping.ask(request);
        BOOST_TEST((text_of(again) == text_of(uncached.ask(request))),
                   name << again.body.substr(0, 200));
    }
}

// A cache entry's place in the log that is gone is where the new one ends.
BOOST_AUTO_TEST_CASE(a_log_that_begins_anew_and_ends_where_it_did_hides_no_change) {
    Keeping const keeping;
    auto const owner = open_owner();
    Request const request{"/api/tags?filters[id]=1&fields=weight"};
    unsigned long weight = 1'000;
    auto const change = [&] {
        return db::SqlText(SqlPiece("UPDATE tags SET weight = ")).integer(++weight)
               << SqlPiece(" WHERE id = 1");
    };
    server::reset_log(*owner);
    server::command(*owner, change());
    for (unsigned long i = 0; i < server::number("RESETS", 5); ++i) {
        keeping.ask_until_cached(request);
        server::replace_log(*owner, change());
        auto const response = keeping.ask(request);
        auto const expected = "\"weight\":" + std::to_string(weight) + '}';
        BOOST_TEST(response.body.find(expected) != std::string::npos,
                   "reset " << i << ": " << response.body);
    }
}

// The server logs nothing of the tag that InnoDB deletes along with its owner.
BOOST_AUTO_TEST_CASE(a_row_that_goes_with_another_is_no_longer_shown) {
    auto const owner = open_owner();
    SqlPiece const tables[] = {
        "CREATE TABLE firms (id INT PRIMARY KEY, parent_id INT, FOREIGN KEY (parent_id)"
        " REFERENCES firms (id) ON DELETE CASCADE)",
        "INSERT INTO firms VALUES (1, NULL), (2, 1)",
        "ALTER TABLE tags ADD firm_id INT, ADD CONSTRAINT tags_firm FOREIGN KEY (firm_id)"
        " REFERENCES firms (id) ON DELETE CASCADE ON UPDATE CASCADE",
        "UPDATE tags SET firm_id = 2 WHERE id IN (3, 4)"};
    for (auto const sql : tables)
        run(*owner, sql);
    Keeping const keeping;
    for (std::string const uri :
         {"/api/tags?filters[id]=4", "/api/articles?populate[tags][fields]=id"})
        BOOST_TEST(keeping.ask_until_cached({uri}).body.find("\"id\":4,") != std::string::npos,
                   uri);
    run(*owner, "DELETE FROM firms WHERE id = 1");
    BOOST_TEST(keeping.ask({"/api/tags?filters[id]=4"}).body.starts_with("{\"data\":[],"));
    Uncached const uncached;
    Request const populated{"/api/articles?populate[tags][fields]=id"};
    BOOST_TEST((text_of(keeping.ask(populated)) == text_of(uncached.ask(populated))));
}

// InnoDB deletes the rows of children by itself.
BOOST_AUTO_TEST_CASE(deleting_a_parent_changes_what_is_read_from_its_children) {
    Keeping const keeping;
    Uncached const uncached;
    auto const owner = open_owner();
    struct {
        Request request;
        SqlPiece change;
    } const table[] = {
        {{"/api/articles/2?fields=id&populate[tags][fields]=id"}, "DELETE FROM tags WHERE id = 38"},
        {{"/api/articles?fields=id&filters[tags][id][$notNull]=true&pagination[pageSize]=1"},
         "DELETE FROM tags WHERE id = 30"},
        {{"/api/products?fields=id&populate[tags][count]=true"},
         "DELETE FROM tags WHERE id IN (SELECT tag_id FROM products_tags_links)"},
        {{"/api/articles?populate=*&pagination[pageSize]=100"}, "DELETE FROM files"},
        {{"/api/articles?fields=id&populate[author][fields]=id&pagination[pageSize]=100"},
         "DELETE FROM authors"},
        // Two steps: roles, and what links permissions to them.
        {{"/api/secrets", "jwt:bob"}, "DELETE FROM up_roles WHERE id = 3"},
    };
    for (auto const& [request, change] : table) {
        auto const before = keeping.ask_until_cached(request);
        BOOST_TEST(before.status == 200, request.uri);
        run(*owner, change);
        auto const after = keeping.ask(request);
        BOOST_TEST((text_of(after) == text_of(uncached.ask(request))),
                   request.uri << after.body.substr(0, 200));
        BOOST_TEST((after.body != before.body), request.uri);
    }
}

BOOST_AUTO_TEST_CASE(tables_that_change_are_no_longer_answered_from) {
    Keeping const keeping;
    auto const owner = open_owner();
    Request const request{"/api/reactions"};
    struct {
        SqlPiece change, back;
    } const table[] = {
        {"RENAME TABLE reactions TO answers", "RENAME TABLE answers TO reactions"},
        {"ALTER TABLE reactions RENAME COLUMN created_at TO made_at",
         "ALTER TABLE reactions RENAME COLUMN made_at TO created_at"},
    };
    for (auto const& [change, back] : table) {
        auto const before = keeping.ask_until_cached(request);
        BOOST_TEST(before.status == 200, before.body);
        run(*owner, change);
        BOOST_TEST((keeping.ask(request).body != before.body));
        run(*owner, back);
        BOOST_TEST(eventually([&] { return keeping.ask(request).body == before.body; }));
    }
    auto const before = keeping.ask_until_cached(request);
    run(*owner, "TRUNCATE TABLE reactions");
    BOOST_TEST(keeping.ask(request).body.starts_with("{\"data\":[],"));
}

BOOST_AUTO_TEST_CASE(an_import_is_seen_by_the_next_request) {
    Keeping const keeping;
    Request const request{"/api/tags?filters[id]=9003"};
    std::filesystem::path const folder = server::setting("CACHE_PASSWORD_FILE") + ".folder";
    auto const where = folder.string() + " --schema " + server::setting("POPULATE_TEST_SCHEMA") +
                       " --database '" + server::setting("POPULATE_TEST_OWNER") + "' >/dev/null";
    BOOST_TEST(std::system((PROGRAM " export " + where).c_str()) == 0);
    auto const tags = folder / "api::tag.tag.ndjson";
    for (auto const& file : std::filesystem::directory_iterator(folder))
        if (file.path() != tags) std::filesystem::remove(file);
    std::ifstream const stream(tags);
    std::ostringstream all;
    all << stream.rdbuf();
    auto const command = PROGRAM " import --replace content " + where;
    for (int i = 0; i < 5; ++i) {
        auto const before = keeping.ask_until_cached(request);
        auto const name = "tag " + std::to_string(i);
        std::ofstream(tags) << all.str() << R"({"id": 9003, "name": ")" << name << "\"}\n";
        BOOST_TEST(std::system(command.c_str()) == 0);
        auto const after = keeping.ask(request);
        BOOST_TEST((after.body.find(name) != after.body.npos), after.body);
    }
    std::filesystem::remove_all(folder);
}

// Strapi notes that it did so in a row, after all tables are made: `populate=deep` is an extension
// where there is none.
BOOST_AUTO_TEST_CASE(a_cms_that_sets_the_database_up_takes_effect_at_once) {
    auto const owner = open_owner();
    run(*owner, "DELETE FROM strapi_database_schema");
    Keeping const keeping;
    Request const request{"/api/articles?populate=deep,2"};
    auto const before = keeping.ask_until_cached(request);
    run(*owner, "INSERT INTO strapi_database_schema (`schema`, hash) VALUES ('{}', '')");
    auto const after = keeping.ask(request);
    BOOST_TEST((after.body != before.body));
    BOOST_TEST((text_of(after) == text_of(Uncached().ask(request))), after.body.substr(0, 200));
}

BOOST_AUTO_TEST_CASE(a_changed_schema_file_takes_effect_at_once_and_on_demand) {
    std::filesystem::path const folder = server::setting("CACHE_PASSWORD_FILE") + ".project";
    std::filesystem::copy(server::setting("POPULATE_TEST_SCHEMA"), folder,
                          std::filesystem::copy_options::recursive);
    auto const file = folder / "src/api/tag/content-types/tag/schema.json";
    std::ifstream stream(file);
    std::string const original{std::istreambuf_iterator<char>(stream), {}};
    auto hidden = original;
    hidden.insert(hidden.find("\"type\"", hidden.find("\"weight\"")), "\"private\": true, ");

    run(*open_owner(), "INSERT INTO tags (id, name, weight) VALUES (9002, 'heavy', 1)");
    Keeping::Settings settings;
    settings.schema = folder;
    Keeping const keeping(settings);
    Request const request{"/api/tags?filters[id]=9002"};
    auto const shows_weight = [&] {
        return keeping.ask(request).body.find("\"weight\"") != std::string::npos;
    };
    keeping.ask_until_cached(request);
    BOOST_TEST(shows_weight());
    std::ofstream(file) << hidden;
    BOOST_TEST(!shows_weight());
    keeping.ask_until_cached(request);
    std::ofstream(file) << original;
    keeping.process().signal(SIGHUP);
    BOOST_TEST(eventually(shows_weight));
    std::filesystem::remove_all(folder);
}

// The next time the response may be another one.
BOOST_AUTO_TEST_CASE(errors_are_not_cached) {
    Keeping const keeping;
    auto const owner = open_owner();
    struct {
        Request request;
        int status;
    } const table[] = {{{"/api/nodes/9001"}, 404},         {{"/api/faqs"}, 403},
                       {{"/api/nodes?fields=none"}, 400},  {{"/api/none"}, 404},
                       {{"/api/tags", "jwt:badsig"}, 401}, {{"/api/tags", "expired"}, 401}};
    for (auto const& [request, status] : table)
        for (int i = 0; i < 3; ++i) {
            auto const [response, use] = keeping.ask_with_outcome(request);
            BOOST_TEST(response.status == status, request.uri);
            BOOST_TEST(use != "hit", request.uri);
        }
    run(*owner, "INSERT INTO nodes (id) VALUES (9001)");
    BOOST_TEST(keeping.ask({"/api/nodes/9001"}).status == 200);
}

BOOST_AUTO_TEST_SUITE_END()
