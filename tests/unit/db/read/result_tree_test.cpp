#include "db/read/result_tree.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(result_tree)

namespace {

constexpr double null = -std::numeric_limits<double>::infinity();

db::Row linked(std::uint64_t parent, double order, std::uint64_t id, std::uint32_t slot = 0,
               std::uint32_t target = 0) {
    return {.id = id, .parent = parent, .slot = slot, .target = target, .order = order};
}

db::Rows arranged(std::vector<db::Row> const& rows, bool reverse = false, bool sorted = false) {
    db::Rows all;
    all.rows.assign(rows.begin(), rows.end());
    all.arrange(reverse, sorted);
    return all;
}

std::string ids_of(std::span<db::Row const> rows) {
    std::string ids;
    for (db::Row const& row : rows)
        ids += (ids.empty() ? "" : " ") + std::to_string(row.id);
    return ids;
}

} // namespace

BOOST_AUTO_TEST_CASE(rows_are_in_the_order_of_the_link_then_of_the_ids) {
    struct Case {
        char const* name;
        std::vector<db::Row> rows;
        char const* ids;
        char const* reversed;
    };
    Case const cases[] = {
        {"by the order", {linked(1, 2, 5), linked(1, 1, 7), linked(1, 3, 6)}, "7 5 6", "6 5 7"},
        {"NULL before all numbers", {linked(1, -9, 5), linked(1, null, 6)}, "6 5", "5 6"},
        {"ids ascend where the order is equal", {linked(1, 1, 9), linked(1, 1, 8)}, "8 9", "8 9"},
        {"a pair at one place counts once", {linked(1, 1, 5), linked(1, 1, 5)}, "5", "5"},
        {"at two places twice", {linked(1, 1, 5), linked(1, 2, 5)}, "5 5", "5 5"},
        {"an id of each type",
         {linked(1, 1, 5, 0, 1), linked(1, 1, 6, 0, 0), linked(1, 1, 5, 0, 0)},
         "5 6 5",
         "5 6 5"},
        {"none", {}, "", ""},
    };
    for (auto const& [name, rows, ids, reversed] : cases) {
        BOOST_TEST(ids_of(arranged(rows).of(1)) == ids, name);
        BOOST_TEST(ids_of(arranged(rows, true).of(1)) == reversed, name);
    }
}

BOOST_AUTO_TEST_CASE(rows_are_those_of_their_parent_and_slot) {
    for (bool const sorted : {false, true}) {
        auto const rows = arranged({linked(3, 0, 31), linked(1, 0, 11, 1), linked(1, 0, 12, 1),
                                    linked(2, 0, 21), linked(1, 0, 10)},
                                   false, sorted);
        BOOST_TEST(ids_of(rows.of(1)) == "10");
        BOOST_TEST(ids_of(rows.of(1, 1)) == "11 12");
        BOOST_TEST(ids_of(rows.of(2)) == "21");
        BOOST_TEST(ids_of(rows.of(3)) == "31");
        BOOST_TEST(ids_of(rows.of(2, 1)) == "");
        BOOST_TEST(ids_of(rows.of(4)) == "");
    }
}

BOOST_AUTO_TEST_CASE(what_the_server_has_sorted_stays_as_it_came) {
    auto const rows =
        arranged({linked(2, 1, 9), linked(1, 2, 8), linked(1, 1, 7), linked(1, 1, 7)}, true, true);
    BOOST_TEST(ids_of(rows.of(1)) == "8 7 7");
    BOOST_TEST(ids_of(rows.of(2)) == "9");
}

BOOST_AUTO_TEST_CASE(a_tree_that_moves_keeps_its_cells) {
    db::ResultTree tree;
    auto* const text = static_cast<char*>(tree.text->allocate(3, 1));
    std::string_view("abc").copy(text, 3);
    auto& rows = tree.nodes.emplace_back();
    rows.width = 1;
    rows.rows.push_back({.id = 1});
    rows.cells.emplace_back(text, 3);
    db::ResultTree moved;
    moved = std::move(tree);
    auto const& row = moved.nodes.at(0);
    BOOST_TEST(*row.cells_of(row.rows.at(0)) == "abc");
}

BOOST_AUTO_TEST_SUITE_END()
