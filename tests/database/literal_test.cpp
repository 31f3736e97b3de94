#include "tests/database/server.hpp"

BOOST_AUTO_TEST_SUITE(literals)

BOOST_AUTO_TEST_CASE(texts_arrive_unchanged) {
    auto const connection = server::open(server::reader());
    std::string_view const texts[] = {
        "",
        "plain",
        "' OR '1'='1",
        "\"; DROP TABLE files; --",
        "\\' \\\\ %_",
        {"a\0b", 3},
        "line\r\nline\x1a",
        "\u00e9\u20ac\U0001F600",
        "x'41'",
        "`",
    };
    for (auto const text : texts) {
        db::SqlText sql("SELECT ");
        BOOST_TEST(server::ask(*connection, sql.text(text)) == text);
    }
}

BOOST_AUTO_TEST_CASE(texts_arrive_unchanged_in_every_sql_mode) {
    auto const connection = server::open_owner();
    server::command(*connection, db::SqlPiece("SET sql_mode = 'ANSI_QUOTES,NO_BACKSLASH_ESCAPES'"));
    db::SqlText sql("SELECT ");
    sql.text("a\\'\"b") << " FROM ";
    BOOST_TEST(server::ask(*connection, sql.name("up_roles") << " LIMIT 1") == "a\\'\"b");
}

BOOST_AUTO_TEST_CASE(a_comparison_uses_the_collation_and_the_index_of_the_column) {
    auto const connection = server::open(server::reader());
    db::SqlText sql("SELECT COUNT(*) FROM up_roles WHERE type = ");
    BOOST_TEST(server::ask(*connection, sql.text("PUBLIC")) == "1");

    db::SqlText explain("EXPLAIN SELECT id FROM articles WHERE slug LIKE ");
    auto rows = connection->query(explain.text("a%"));
    BOOST_TEST_REQUIRE(rows.has_value());
    BOOST_TEST_REQUIRE(rows->next());
    auto const possible_keys = rows->text(4);
    BOOST_TEST(possible_keys == "articles_slug_unique");
}

BOOST_AUTO_TEST_CASE(bytes_that_are_not_utf8_are_an_error_of_the_statement) {
    auto const connection = server::open(server::reader());
    db::SqlText sql("SELECT ");
    auto const rows = connection->query(sql.text("\xff"));
    BOOST_TEST_REQUIRE(rows.has_error());
    BOOST_TEST(rows.error().cause.find("1300") != std::string::npos, rows.error().cause);
}

BOOST_AUTO_TEST_CASE(names_with_any_sign_are_one_name) {
    auto const connection = server::open(server::reader());
    db::SqlText sql("SELECT ");
    sql.name("a`b, 2") << " FROM (SELECT 1 AS ";
    BOOST_TEST(server::ask(*connection, sql.name("a`b, 2") << ") AS t0") == "1");
}

// Digits without an exponent are exact for the server, as they are in the reference's statements.
BOOST_AUTO_TEST_CASE(numbers_are_exact_where_javascript_writes_no_exponent) {
    auto const connection = server::open(server::reader());
    db::SqlText exact("SELECT 3 * ");
    BOOST_TEST(server::ask(*connection, exact.number(0.1)) == "0.3");
    db::SqlText large("SELECT ");
    BOOST_TEST(server::ask(*connection, large.number(1e20)) == "100000000000000000000");
    db::SqlText tiny("SELECT 0.00000015 = ");
    BOOST_TEST(server::ask(*connection, tiny.number(1.5e-7)) == "1");
    db::SqlText integers("SELECT ");
    integers.integer(std::int64_t{-9223372036854775807});
    BOOST_TEST(server::ask(*connection, integers) == "-9223372036854775807");
}

BOOST_AUTO_TEST_SUITE_END()
