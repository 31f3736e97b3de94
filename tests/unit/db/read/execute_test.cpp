#include "db/read/execute.hpp"
#include "db/read/select.hpp"
#include "tests/unit/bound.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <ostream>
#include <string>
#include <tuple>

namespace {

db::SelectedPlan select_of(std::string const& type, std::string const& query,
                           db::Action action = db::Action::find) {
    auto const& schema = *example_schema();
    db::ReadTarget const target{.type = schema.find("api::" + type + "." + type), .action = action};
    return db::select(bound(schema, target, query).value());
}

std::size_t count_in(std::string const& text, std::string_view part) {
    std::size_t found = 0;
    for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1))
        ++found;
    return found;
}

// How relations of a filter are asked for: by EXISTS, by a probe, inside out.
struct FilterForms {
    char const* query;
    std::size_t exists, probes, inside_out;
};
std::ostream& operator<<(std::ostream& out, FilterForms const& filter) {
    return out << filter.query;
}

void check_forms(FilterForms const& filter, std::string const& sql) {
    BOOST_TEST(count_in(sql, "EXISTS (") == filter.exists, sql);
    BOOST_TEST(count_in(sql, "(SELECT 1 FROM") == filter.exists + filter.probes, sql);
    BOOST_TEST(count_in(sql, "SELECT DISTINCT") == filter.inside_out, sql);
}

FilterForms const usual_filters[] = {
    {"filters[category][name]=x", 1, 0, 0},
    {"filters[category][articles][title]=x", 2, 0, 0},
    {"filters[category][articles][tags][name]=x", 0, 0, 3},
    {"filters[category][articles][tags][articles][title]=x", 0, 0, 4},
    // An entry without a related row, and one whose related row has none.
    {"filters[category][name][$null]=true", 1, 1, 0},
    {"filters[category][articles][title][$null]=true", 2, 2, 0},
    // Negations.
    {"filters[category][name][$ne]=x", 0, 1, 0},
    {"filters[category][name][$notContains]=x", 0, 1, 0},
    {"filters[$not][category][articles][title]=x", 0, 2, 0},
    {"filters[category][name][$ne]=x&filters[tags][name]=y", 1, 1, 0},
    {"filters[category][articles][tags][name][$ne]=x", 0, 2, 1},
};
BOOST_DATA_TEST_CASE(the_usual_form_of_a_filter_goes_by_its_hops_and_negations, usual_filters) {
    auto const plan = select_of("article", sample.query);
    check_forms(sample, plan.statements.nodes[0].sql.str());
    check_forms(sample, plan.statements.total.str());
}

FilterForms const probed_filters[] = {
    {"filters[category][name]=x", 0, 1, 0},
    {"filters[category][articles][title]=x", 1, 1, 0},
    {"filters[$or][0][category][name]=x&filters[$or][1][tags][name]=y", 0, 2, 0},
    {"filters[category][name][$null]=true", 0, 2, 0},
};
BOOST_DATA_TEST_CASE(a_probe_looks_for_the_nearest_related_rows_entry_by_entry, probed_filters) {
    auto const plan = select_of("article", sample.query);
    BOOST_TEST_REQUIRE((plan.statements.nodes[0].other_form == db::Form::probe));
    check_forms(sample, db::select_node(plan, 0, db::Form::probe).str());
}

struct JoinedTotal {
    char const* query;
    char const* statement; // empty: there is none
};
std::ostream& operator<<(std::ostream& out, JoinedTotal const& total) {
    return out << total.query;
}
JoinedTotal const joined_totals[] = {
    {"filters[category][articles][title]=x&filters[title]=y",
     "SELECT COUNT(DISTINCT t0.`id`) FROM `articles` t0"
     " JOIN `articles_category_links` t3 ON t3.`article_id` = t0.`id`"
     " JOIN `categories` t2 ON t2.`id` = t3.`category_id`"
     " JOIN `articles_category_links` t5 ON t5.`category_id` = t2.`id`"
     " JOIN `articles` t4 ON t4.`id` = t5.`article_id`"
     " WHERE TRUE AND t0.`locale` = '' AND t4.`title` = 'x' AND t0.`title` = 'y' AND "
     "t0.`published_at` IS NOT NULL"},
    {"filters[title]=x", ""},
    {"filters[category][articles][tags][name]=x", ""},
    {"filters[category][name][$null]=true", ""},
    {"filters[$not][category][name]=x", ""},
    {"filters[$or][0][category][name]=x&filters[$or][1][tags][name]=y", ""},
};
BOOST_DATA_TEST_CASE(a_total_may_join_what_every_entry_must_have, joined_totals) {
    auto const plan = select_of("article", sample.query);
    bool const has_one = *sample.statement != '\0';
    BOOST_TEST((plan.statements.other_total == db::Form::joined) == has_one);
    if (!has_one) return;
    BOOST_TEST(db::readable(db::select_total(plan, db::Form::joined).str()) == sample.statement);
}

BOOST_AUTO_TEST_CASE(what_reads_no_relation_or_all_of_it_has_one_form) {
    for (char const* query :
         {"", "filters[title]=x", "populate[tags]=true", "populate[tags][count]=true",
          "sort=author.name&pagination[page]=2"}) {
        auto const plan = select_of("article", query);
        BOOST_TEST((plan.statements.nodes.back().other_form == db::Form::usual), query);
    }
}

BOOST_AUTO_TEST_CASE(late_rows_are_those_of_the_page_alone) {
    auto const plan =
        select_of("article", "fields=title&sort=title:desc&pagination[page]=3&locale=all");
    BOOST_TEST_REQUIRE((plan.statements.nodes[0].other_form == db::Form::late_rows));
    BOOST_TEST(
        db::readable(db::select_node(plan, 0, db::Form::late_rows).str()) ==
        "SELECT t0.`id`, t0.`title` FROM (SELECT t0.`id` FROM `articles` t0 IGNORE "
        "INDEX FOR ORDER BY (PRIMARY) WHERE ((t0.`published_at` IS NOT NULL)) IS TRUE ORDER BY "
        "t0.`title` DESC, t0.`id` LIMIT 25 OFFSET 50) t1 JOIN `articles` t0 ON t0.`id` = "
        "t1.`id` ORDER BY t0.`title` DESC, t0.`id`");
}

BOOST_AUTO_TEST_CASE(a_sorted_list_may_be_read_in_the_order_of_an_index) {
    auto const plan = select_of("article", "fields=title&sort=title:desc&pagination[pageSize]=3");
    BOOST_TEST((plan.statements.nodes[0].other_form == db::Form::late_rows));
}

BOOST_AUTO_TEST_CASE(branches_are_one_for_each_parent) {
    auto const plan =
        select_of("category",
                  "populate[articles][fields]=title&populate[articles][start]=1&populate[articles]["
                  "limit]=2&populate[articles][sort]=title:desc&publicationState=preview");
    BOOST_TEST_REQUIRE((plan.statements.nodes[1].other_form == db::Form::branches));
    std::array<std::uint64_t, 2> const ids{3, 4};
    auto const branch = [](std::string const& id) {
        return "(SELECT t1.`category_id` AS `parent`, t1.`article_order` AS `order`, t0.`title` AS "
               "`key0`,"
               " t0.`id` AS `target` FROM `articles_category_links` t1 JOIN `articles` t0 ON "
               "t0.`id` ="
               " t1.`article_id` WHERE t1.`category_id` IN (" +
               id + ") ORDER BY `key0` DESC, t1.`article_order`, t0.`id` LIMIT 2 OFFSET 1)";
    };
    BOOST_TEST(
        db::readable(db::select_node(plan, 1, db::Form::branches).with_ids(ids).str()) ==
        "SELECT t1.`parent`, t1.`order`, t1.`target`, t0.`title` FROM (" + branch("3") +
            " UNION ALL " + branch("4") +
            ") t1 JOIN `articles` t0 ON t0.`id` = t1.`target` ORDER BY t1.`parent`, t1.`key0` DESC,"
            " t1.`order`, t1.`target`");
}

} // namespace

BOOST_AUTO_TEST_SUITE(read_method)

namespace {

db::SelectedPlan plan_of(std::string const& query, db::Action action = db::Action::find) {
    return select_of("article", query, action);
}

constexpr auto uncounted = "pagination[withCount]=false";

} // namespace

BOOST_AUTO_TEST_CASE(what_needs_one_statement_needs_no_snapshot) {
    std::tuple<std::string, std::optional<std::uint64_t>, bool> const cases[] = {
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
