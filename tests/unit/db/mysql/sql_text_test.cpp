#include "db/mysql/sql_text.hpp"

#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

using db::SqlText;

// Text that is known only at run time does not become SQL.
static_assert(!std::is_constructible_v<SqlText, std::string>);
static_assert(!std::is_constructible_v<SqlText, std::string_view>);
static_assert(!std::is_constructible_v<db::SqlPiece, std::string>);
static_assert(!std::is_constructible_v<db::SqlPiece, std::string_view>);

BOOST_AUTO_TEST_SUITE(sql_text)

BOOST_AUTO_TEST_CASE(names_are_quoted_and_cannot_end_the_quotes) {
    BOOST_TEST(SqlText().name("order").str() == "`order`");
    BOOST_TEST(SqlText().name("a`b").str() == "`a``b`");
    BOOST_TEST(SqlText().name("` OR 1 -- ").str() == "``` OR 1 -- `");
    BOOST_TEST(SqlText().column(12, "title").str() == "t12.`title`");
    BOOST_TEST(SqlText().alias(0).str() == "t0");
}

BOOST_AUTO_TEST_CASE(texts_are_hexadecimal_literals_whatever_they_hold) {
    std::pair<std::string_view, std::string_view> const cases[] = {
        {"", "_utf8mb4 x''"},
        {"abc", "_utf8mb4 x'616263'"},
        {"' OR '1'='1", "_utf8mb4 x'27204F52202731273D2731'"},
        {"\\", "_utf8mb4 x'5C'"},
        {{"\0", 1}, "_utf8mb4 x'00'"},
        {"é", "_utf8mb4 x'C3A9'"},
        {"\U0001F600", "_utf8mb4 x'F09F9880'"},
        {"\xff", "_utf8mb4 x'FF'"},
    };
    for (auto const& [text, literal] : cases)
        BOOST_TEST(SqlText().text(text).str() == literal);
}

BOOST_AUTO_TEST_CASE(integers_keep_every_digit) {
    BOOST_TEST(SqlText().integer(std::int64_t{0}).str() == "0");
    BOOST_TEST(SqlText().integer(std::numeric_limits<std::int64_t>::min()).str() ==
               "-9223372036854775808");
    BOOST_TEST(SqlText().integer(std::numeric_limits<std::uint64_t>::max()).str() ==
               "18446744073709551615");
}

// JavaScript's `String(x)` gives this.
BOOST_AUTO_TEST_CASE(numbers_look_as_in_javascript) {
    std::pair<double, std::string_view> const cases[] = {
        {0, "0"},
        {-0.0, "0"},
        {1, "1"},
        {-1.5, "-1.5"},
        {0.1, "0.1"},
        {0.1 + 0.2, "0.30000000000000004"},
        {100000, "100000"},
        {123.456, "123.456"},
        {1e-6, "0.000001"},
        {1.5e-7, "1.5e-7"},
        {5e-324, "5e-324"},
        {9007199254740993.0, "9007199254740992"},
        {123456789012345680000.0, "123456789012345680000"},
        {1e20, "100000000000000000000"},
        {1e21, "1e+21"},
        {-1.7976931348623157e308, "-1.7976931348623157e+308"},
    };
    for (auto const& [value, text] : cases)
        BOOST_TEST(SqlText().number(value).str() == text);
}

BOOST_AUTO_TEST_CASE(pieces_and_other_texts_are_joined) {
    SqlText condition;
    condition.column(0, "id") << " = ";
    condition.integer(std::int64_t{7});
    SqlText sql("SELECT * FROM ");
    sql.name("articles") << " AS t0 WHERE " << condition;
    BOOST_TEST(sql.str() == "SELECT * FROM `articles` AS t0 WHERE t0.`id` = 7");
    BOOST_TEST(!sql.empty());
    BOOST_TEST(SqlText().empty());
}

BOOST_AUTO_TEST_CASE(tables_that_are_read_are_noted_once) {
    SqlText inner("(SELECT 1 FROM ");
    inner.table("tags") << " JOIN ";
    inner.table("a`b") << " ON TRUE)";
    SqlText sql("SELECT ");
    sql.name("column") << " FROM ";
    sql.table("tags") << " WHERE " << inner;
    BOOST_TEST(sql.str() ==
               "SELECT `column` FROM `tags` WHERE (SELECT 1 FROM `tags` JOIN `a``b` ON TRUE)");
    db::TableNames names{"pages"};
    sql.add_tables_to(names);
    BOOST_TEST(names == (db::TableNames{"a`b", "pages", "tags"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(shown_without_values_it_has_marks_in_their_places) {
    SqlText inner;
    inner.text("a").name("b1");
    SqlText sql;
    sql << "SELECT 1 FROM ";
    sql.name("t?") << " WHERE x = " << inner << " AND y IN (";
    sql.place_of_ids() << ") LIMIT ";
    sql.integer(std::uint64_t{5});
    BOOST_TEST(sql.without_values() == "SELECT 1 FROM `t?` WHERE x = ?`b1` AND y IN (?) LIMIT ?");
    BOOST_TEST(SqlText().number(0.5).without_values() == "?");
    BOOST_TEST(SqlText().place_of_ids().without_values() == "?");
    BOOST_TEST(SqlText().without_values() == "");
}

BOOST_AUTO_TEST_CASE(a_total_is_one_more_column_in_its_place) {
    SqlText total;
    total << "SELECT COUNT(*) FROM u WHERE x = ";
    total.integer(std::uint64_t{1});
    SqlText sql;
    sql << "SELECT a c";
    sql.place_of_total() << " FROM u WHERE x = ";
    sql.integer(std::uint64_t{1}) << " LIMIT ";
    sql.integer(std::uint64_t{25});
    auto const with_total = sql.with_total(total);
    BOOST_TEST(with_total.str() ==
               "SELECT a c, (SELECT COUNT(*) FROM u WHERE x = 1) c FROM u WHERE x = 1 LIMIT 25");
    BOOST_TEST(with_total.without_values() ==
               "SELECT a, (SELECT COUNT(*) FROM u WHERE x = ?) FROM u WHERE x = ? LIMIT ?");
    BOOST_TEST(sql.without_values() == "SELECT a FROM u WHERE x = ? LIMIT ?");
}

BOOST_AUTO_TEST_CASE(statements_that_differ_in_values_alone_have_one_shape) {
    auto const where = [](std::string_view column, std::string_view value, std::uint64_t limit) {
        SqlText sql("SELECT 1 WHERE ");
        sql.name(column) << " = ";
        sql.text(value) << " LIMIT ";
        sql.integer(limit);
        return sql;
    };
    auto const shape = where("title", "a", 1).shape();
    BOOST_TEST(where("title", "longer ' than", 100).shape() == shape);
    BOOST_TEST(where("slug", "a", 1).shape() != shape);
    BOOST_TEST(SqlText().shape() != shape);
    BOOST_TEST(where("title", "a", 1).shape(1) != shape); // behind something else
    SqlText more = where("title", "a", 1);
    more << " OFFSET ";
    more.integer(std::uint64_t{1});
    BOOST_TEST(more.shape() != shape);
}

// Only the text for people changes, not the one that is sent.
BOOST_AUTO_TEST_CASE(people_read_texts_in_quotes_and_columns_by_their_names) {
    std::pair<std::string_view, std::string_view> const cases[] = {
        {"SELECT t0.`id` c, t0.`title` c FROM `a` t0", "SELECT t0.`id`, t0.`title` FROM `a` t0"},
        {"SELECT COUNT(*) c FROM `a` t0", "SELECT COUNT(*) FROM `a` t0"},
        {"x = _utf8mb4 x'656E' AND y = 1", "x = 'en' AND y = 1"},
        {"x IN (_utf8mb4 x'', _utf8mb4 x'C3A9')", "x IN ('', 'é')"},
        {"x = _utf8mb4 x'6F276272'", "x = 'o''br'"},
        // Whatever the sql_mode says of backslashes, and whatever a terminal makes of the rest.
        {"x LIKE _utf8mb4 x'255C5F25'", "x LIKE _utf8mb4 x'255C5F25'"},
        {"x = _utf8mb4 x'0A'", "x = _utf8mb4 x'0A'"},
        {"x = _utf8mb4 x'7F'", "x = _utf8mb4 x'7F'"},
        // Names are left alone.
        {"SELECT t0.`a c, b` c, t0.`_utf8mb4 x'656E'` c FROM `t``, c FROM `",
         "SELECT t0.`a c, b`, t0.`_utf8mb4 x'656E'` FROM `t``, c FROM `"},
        {"", ""},
    };
    for (auto const& [sent, shown] : cases)
        BOOST_TEST(db::readable(sent) == shown);
}

BOOST_AUTO_TEST_SUITE_END()
