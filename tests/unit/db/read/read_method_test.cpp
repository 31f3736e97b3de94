#include "db/plan/bind.hpp"
#include "db/read/execute.hpp"
#include "parser/query_reader.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(read_method)

namespace {

db::SelectedPlan plan_of(std::string const& query, db::Action action = db::Action::find) {
    auto const schema = example_schema();
    static db::Permissions const full(db::Permissions::AccessLevel::full);
    auto const typed = parser::read_query(parser::parse_query_string(query), schema->cms.reading);
    db::ReadTarget const target{.type = schema->find("api::article.article"), .action = action};
    return db::select(db::bind(typed, target, *schema, full, {}, {}).value());
}

constexpr auto uncounted = "pagination[withCount]=false";

} // namespace

BOOST_AUTO_TEST_CASE(what_needs_one_statement_needs_no_snapshot) {
    struct Case {
        std::string query;
        std::optional<std::uint64_t> total;
        bool is_one;
    };
    Case const cases[] = {
        {uncounted, {}, true}, {uncounted + std::string("&populate=author"), {}, false},
        {"", {}, false}, // the page, then its total
        {"", 7, true},         {"populate=author", 7, false},
    };
    for (auto const& [query, total, is_one] : cases) {
        auto const method = db::method_for(plan_of(query), db::Forms::chosen, total);
        BOOST_TEST((method.extent == db::Extent::statement) == is_one, query);
        BOOST_TEST((method.total == total), query);
        BOOST_TEST((method.root == db::Form::usual), query);
    }
}

BOOST_AUTO_TEST_CASE(lists_have_a_total_unless_they_are_asked_for_without) {
    BOOST_TEST(db::has_total(plan_of("")));
    BOOST_TEST(!db::has_total(plan_of(uncounted)));
    BOOST_TEST(db::has_total(plan_of("", db::Action::count)));
}

BOOST_AUTO_TEST_CASE(a_statement_that_was_sent_has_its_text) {
    auto const plan = plan_of("populate=author");
    auto const& nodes = plan.statements.nodes;
    auto const total = plan.statements.total.str();
    BOOST_TEST(db::text_of({}, plan).str() == total);
    BOOST_TEST(db::text_of({.node = 0}, plan).str() == nodes[0].sql.str());
    BOOST_TEST(db::text_of({.node = 1}, plan).str() == nodes[1].sql.str());
    auto const both = db::text_of({.node = 0, .with_total = true}, plan).str();
    BOOST_TEST(both.find("(" + total + ")") != both.npos);
}

BOOST_AUTO_TEST_SUITE_END()
