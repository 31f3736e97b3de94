#include "fixture.hpp"

#include <boost/json.hpp>

// Content that Strapi would not have left behind, against the schema: answers stay sound. Each test
// spoils tables that no other reads.

using namespace faults;
using db::SqlPiece;

namespace {

struct SpoiledContent {
    SpoiledContent() {
        db::SessionOptions options;
        options.read_only = false;
        options.statement_timeout = 60s;
        owner = server::open(server::owner(), options);
        change("SET sql_mode = '', foreign_key_checks = 0, check_constraint_checks = 0");
    }

    void change(SqlPiece sql) { server::command(*owner, sql); }
    ApplicationSettings settings(std::vector<std::string> options = {}) const {
        options.push_back("--permission-ttl=0");
        return {.database = reader_through(server::setting("POPULATE_TEST_SOCKET")),
                .options = std::move(options),
                .is_patient = true};
    }

    std::unique_ptr<db::Connection> owner;
};

boost::json::value parsed(fastcgi::Response const& response) {
    boost::system::error_code error;
    auto value = boost::json::parse(response.body, error);
    BOOST_TEST(!error, error.message() << ": " << response.body.substr(0, 300));
    return value;
}

std::string at(fastcgi::Response const& response, std::string_view pointer) {
    auto const value = parsed(response);
    boost::system::error_code error;
    auto const* found = value.find_pointer(pointer, error);
    return found ? boost::json::serialize(*found) : "nothing";
}

} // namespace

BOOST_AUTO_TEST_SUITE(content)

BOOST_AUTO_TEST_CASE(attributes_are_in_the_order_of_the_columns_when_that_changes_too) {
    SpoiledContent content;
    ApplicationProcess const application(content.settings());
    auto const is_depth_last = [&] {
        auto const body = application.get("/api/nodes?pagination[pageSize]=1").body;
        return body.find("\"label\"") < body.find("\"depth\"");
    };
    BOOST_TEST(is_depth_last());
    content.change("ALTER TABLE nodes MODIFY depth INT AFTER id");
    BOOST_TEST(eventually([&] { return !is_depth_last(); }));
}

BOOST_AUTO_TEST_CASE(values_against_the_schema_are_answered_in_sound_json) {
    struct {
        SqlPiece change, value;
        char const* attribute;
        char const* expected; // empty: whatever is sound
    } const table[] = {
        {"DO 1",
         "UPDATE ks_scalars SET label = NULL, a_string = NULL, a_json = NULL,"
         " created_at = NULL, updated_at = NULL WHERE id = 1",
         "createdAt", "null"},
        {"ALTER TABLE ks_scalars MODIFY a_string VARCHAR(255) CHARACTER SET latin1",
         "UPDATE ks_scalars SET a_string = _latin1 x'e9ff' WHERE id = 1", "aString", "\"éÿ\""},
        {"ALTER TABLE ks_scalars MODIFY a_string BIT(64)",
         "UPDATE ks_scalars SET a_string = b'1000000011111111' WHERE id = 1", "aString", ""},
        {"ALTER TABLE ks_scalars MODIFY a_string ENUM('a', 'b')",
         "UPDATE ks_scalars SET a_string = 'b' WHERE id = 1", "aString", "\"b\""},
        {"ALTER TABLE ks_scalars MODIFY a_json LONGTEXT",
         "UPDATE ks_scalars SET a_json = '{garbage' WHERE id = 1", "aJson", ""},
        {"ALTER TABLE ks_scalars MODIFY an_integer BIGINT UNSIGNED",
         "UPDATE ks_scalars SET an_integer = 18446744073709551615 WHERE id = 1", "anInteger", ""},
        {"ALTER TABLE ks_scalars MODIFY a_decimal DECIMAL(65,30)",
         "UPDATE ks_scalars SET a_decimal = -99999999999999999999999999999999999 WHERE id = 1",
         "aDecimal", ""},
        {"ALTER TABLE ks_scalars MODIFY a_float VARCHAR(20)",
         "UPDATE ks_scalars SET a_float = 'NaN' WHERE id = 1", "aFloat", ""},
        {"ALTER TABLE ks_scalars MODIFY a_boolean INT",
         "UPDATE ks_scalars SET a_boolean = 7 WHERE id = 1", "aBoolean", ""},
        {"DO 1", "UPDATE ks_scalars SET a_time = '-838:59:59' WHERE id = 1", "aTime", ""},
        {"DO 1", "UPDATE ks_scalars SET a_date = '0000-00-00' WHERE id = 1", "aDate", ""},
        {"DO 1", "UPDATE ks_scalars SET a_datetime = '0000-00-00' WHERE id = 1", "aDatetime", ""},
        {"DO 1", "UPDATE ks_scalars SET a_text = REPEAT('x', 16777216) WHERE id = 1", "label", ""},
    };
    SpoiledContent content;
    ApplicationProcess const application(content.settings());
    for (auto const& [change, value, attribute, expected] : table) {
        content.change(change);
        content.change(value);
        auto const response = application.get("/api/scalars/1?populate=*");
        BOOST_TEST_CONTEXT(db::SqlText(value).str()) {
            BOOST_TEST(response.status == 200);
            auto const got = at(response, std::string("/data/attributes/") + attribute);
            BOOST_TEST(got != "nothing");
            if (*expected) BOOST_TEST(got == expected);
            std::string const name = attribute;
            for (auto const& uri :
                 {"/api/scalars?fields=" + name + "&sort=" + name,
                  "/api/scalars?fields=" + name + "&filters[" + name + "][$eq]=1",
                  "/api/scalars?fields=" + name + "&filters[" + name + "][$containsi]=%C3%A9"}) {
                auto const listed = application.get(uri);
                BOOST_TEST((listed.status == 200 || listed.status == 400),
                           uri << ' ' << listed.body);
                parsed(listed);
            }
        }
    }
    // Two of sixteen megabytes are over the limit of one response.
    content.change("UPDATE ks_scalars SET a_text = REPEAT('x', 16777216) WHERE id = 2");
    auto const large = application.get("/api/scalars?fields=a_text");
    BOOST_TEST(large.status == 400);
    BOOST_TEST(large.body.find("response-limit (33554432 bytes)") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(links_that_lead_nowhere_or_twice_are_left_out) {
    SpoiledContent content;
    auto const tags = "/api/articles/2?fields=title&populate[tags][fields]=name";
    ApplicationProcess const application(content.settings());
    auto const before = application.get(tags).body;
    BOOST_TEST(at(application.get(tags), "/data/attributes/tags/data/0/id") != "nothing");

    content.change("INSERT INTO articles_tags_links (article_id, tag_id) VALUES (2, 99999),"
                   " (99999, 1), (2, NULL), (NULL, 1)");
    BOOST_TEST(application.get(tags).body == before);
    content.change("ALTER TABLE articles_tags_links DROP INDEX articles_tags_links_unique");
    content.change("INSERT INTO articles_tags_links (article_id, tag_id, tag_order, article_order)"
                   " SELECT article_id, tag_id, tag_order, article_order FROM articles_tags_links");
    BOOST_TEST(application.get(tags).body == before);

    // Where one row is meant and there are several, the first one counts.
    content.change("INSERT INTO articles_author_links (article_id, author_id)"
                   " SELECT 2, id FROM authors WHERE id NOT IN"
                   " (SELECT author_id FROM articles_author_links WHERE article_id = 2)");
    BOOST_TEST(at(application.get("/api/articles/2?populate=author"),
                  "/data/attributes/author/data/id") == "1");

    content.change("UPDATE articles SET published_at = NULL");
    BOOST_TEST(at(application.get("/api/articles"), "/data") == "[]");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(large_content)

BOOST_AUTO_TEST_CASE(a_hundred_thousand_rows_are_read_up_to_the_limit) {
    SpoiledContent content;
    content.change("INSERT INTO tags (id, name) SELECT seq + 1000, 'x' FROM seq_1_to_100001");
    content.change("INSERT INTO articles_tags_links (article_id, tag_id, tag_order)"
                   " SELECT 1, seq + 1000, seq + 1000 FROM seq_1_to_100001");
    ApplicationProcess const application(
        content.settings({"--max-limit=none", "--request-timeout=60", "--statement-timeout=60"}));
    auto const all = application.get("/api/articles/1?fields=title&populate[tags][fields]=name");
    BOOST_TEST(all.status == 400);
    BOOST_TEST(all.body.find("rows-limit (100000)") != std::string::npos, all.body);
    auto const some = application.get("/api/articles/1?fields=title&populate[tags][fields]=name"
                                      "&populate[tags][limit]=5");
    BOOST_TEST(some.status == 200);
    BOOST_TEST(at(some, "/data/attributes/tags/data/4/id") != "nothing");
    BOOST_TEST(at(some, "/data/attributes/tags/data/5/id") == "nothing");

    // Their ids go down in several lists.
    auto const many = application.get("/api/tags?fields=name&pagination[pageSize]=35000"
                                      "&populate[articles][fields]=title&sort=id:desc");
    BOOST_TEST(many.status == 200, many.body.substr(0, 200));
    BOOST_TEST(at(many, "/data/34999/id") == "66002");
    BOOST_TEST(at(many, "/data/34999/attributes/articles/data/0/id") == "1");
}

BOOST_AUTO_TEST_SUITE_END()
