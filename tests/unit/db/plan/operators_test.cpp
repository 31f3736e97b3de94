#include "db/mysql/sql_text.hpp"
#include "db/read/select.hpp"
#include "parser/filter_operator.hpp"
#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>
#include <string>

BOOST_AUTO_TEST_SUITE(operators)

namespace {

// The condition of `filters` in the plan, as people read it.
std::string condition(std::string const& filter) {
    auto const& schema = *example_schema();
    std::string const text = dump(
        bound(schema, {.type = schema.find("api::tag.tag")}, "publicationState=preview&" + filter)
            .value());
    auto const from = text.find(" where ") + 7;
    return db::readable(text.substr(from, text.find(" start 0") - from));
}

struct Case {
    char const* key;
    char const* of_a; // what `filters[name][key]=a` asks for
    char const* of_null;
};
std::ostream& operator<<(std::ostream& out, Case const& c) {
    return out << c.key;
}

#define LOWER "LOWER(t0.`name`)"
Case const cases[] = {
    {"$eq", "(t0.`name` = 'a')", "(t0.`name` IS NULL)"},
    {"$eqi", "(" LOWER " LIKE LOWER('a'))", "(t0.`name` IS NULL)"},
    {"$ne", "(t0.`name` <> 'a')", "(t0.`name` IS NOT NULL)"},
    {"$nei", "(" LOWER " NOT LIKE LOWER('a'))", "(t0.`name` IS NOT NULL)"},
    {"$lt", "(t0.`name` < 'a')", "(t0.`name` < NULL)"},
    {"$lte", "(t0.`name` <= 'a')", "(t0.`name` <= NULL)"},
    {"$gt", "(t0.`name` > 'a')", "(t0.`name` > NULL)"},
    {"$gte", "(t0.`name` >= 'a')", "(t0.`name` >= NULL)"},
    {"$in", "(t0.`name` IN ('a'))", "(t0.`name` IN (NULL))"},
    {"$notIn", "(t0.`name` NOT IN ('a'))", "(t0.`name` NOT IN (NULL))"},
    {"$between", nullptr, nullptr},
    {"$contains", "(t0.`name` LIKE '%a%')", "(t0.`name` LIKE '%null%')"},
    {"$notContains", "(t0.`name` NOT LIKE '%a%')", "(t0.`name` NOT LIKE '%null%')"},
    {"$containsi", "(" LOWER " LIKE LOWER('%a%'))", "(" LOWER " LIKE LOWER('%null%'))"},
    {"$notContainsi", "(" LOWER " NOT LIKE LOWER('%a%'))", "(" LOWER " NOT LIKE LOWER('%null%'))"},
    {"$startsWith", "(t0.`name` LIKE 'a%')", "(t0.`name` LIKE 'null%')"},
    {"$startsWithi", "(" LOWER " LIKE LOWER('a%'))", "(" LOWER " LIKE LOWER('null%'))"},
    {"$notStartsWith", "(t0.`name` NOT LIKE 'a%')", "(t0.`name` NOT LIKE 'null%')"},
    {"$endsWith", "(t0.`name` LIKE '%a')", "(t0.`name` LIKE '%null')"},
    {"$endsWithi", "(" LOWER " LIKE LOWER('%a'))", "(" LOWER " LIKE LOWER('%null'))"},
    {"$null", "(t0.`name` IS NULL)", "(t0.`name` IS NOT NULL)"},
    {"$notNull", "(t0.`name` IS NOT NULL)", "(t0.`name` IS NULL)"},
    {"$jsonSupersetOf", "(FALSE)", "(FALSE)"}, // of a column that holds no JSON
};
#undef LOWER

} // namespace

BOOST_DATA_TEST_CASE(each_compares_with_a_text_and_with_null_in_its_way, cases) {
    if (!sample.of_a) return; // below
    std::string const filter = std::string("filters[name][") + sample.key + "]";
    BOOST_TEST(condition(filter + "=a") == sample.of_a);
    BOOST_TEST(condition(filter) == sample.of_null);
}

BOOST_AUTO_TEST_CASE(between_takes_two_values) {
    BOOST_TEST(condition("filters[name][$between][0]=a&filters[name][$between][1]=b") ==
               "(t0.`name` BETWEEN 'a' AND 'b')");
}

BOOST_AUTO_TEST_CASE(none_is_without_a_case_here) {
    for (parser::OperatorRow const& row : parser::operators)
        BOOST_TEST((std::ranges::find(cases, row.key, &Case::key) != std::end(cases)), row.key);
}

BOOST_AUTO_TEST_SUITE_END()
