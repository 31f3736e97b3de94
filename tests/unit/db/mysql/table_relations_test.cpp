#include "db/mysql/table_relations.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>

BOOST_AUTO_TEST_SUITE(table_relations)

namespace {

using db::TableName;

TableName own(char const* name) {
    return {"", name};
}

// A family with a loop, one alone, two in another database, and some whose changes nothing tells.
db::TableRelations const relations({
    {own("links"), {true, {own("posts"), own("tags")}}},
    {own("posts"), {true, {own("users")}}},
    {own("tags"), {true, {own("tags")}}},
    {own("users"), {true, {own("groups")}}},
    {own("groups"), {true, {own("users")}}},
    {own("alone"), {true, {}}},
    {own("abroad"), {true, {{"other", "posts"}}}},
    {{"other", "posts"}, {true, {{"other", "users"}}}},
    {{"other", "users"}, {true, {}}},
    {own("view"), {false, {}}},
    {own("above_view"), {true, {own("view")}}},
    {own("above_missing"), {true, {own("missing")}}},
    {own("far"), {true, {own("above_missing")}}},
});

std::string text_of(TableName const& name) {
    return name.database.empty() ? name.name : name.database + "." + name.name;
}

struct Case {
    char const* form;
    std::vector<std::string_view> tables;
    char const* expected; // each with a space behind
    char const* unreported = "";
};
std::ostream& operator<<(std::ostream& out, Case const& c) {
    return out << c.form;
}

Case const cases[] = {
    {"no table", {}, ""},
    {"no keys", {"alone"}, "alone "},
    {"twice the same", {"alone", "alone"}, "alone "},
    {"a key to its own table", {"tags"}, "tags "},
    {"keys that lead back", {"users"}, "groups users "},
    {"keys of parents", {"links"}, "groups links posts tags users "},
    {"not the children", {"posts"}, "groups posts users "},
    {"some tables", {"tags", "alone"}, "alone tags "},
    {"another database", {"abroad"}, "abroad other.posts other.users "},
    {"a name in capitals", {"TAGS"}, "tags "},
    {"a view", {"alone", "view"}, "alone view ", "view"},
    {"no such table", {"nothing"}, "nothing ", "nothing"},
    {"a parent that is none", {"above_view"}, "above_view view ", "view"},
    {"an ancestor that is not known", {"far"}, "above_missing far missing ", "missing"},
};

} // namespace

BOOST_DATA_TEST_CASE(what_changes_along_with_tables, cases, c) {
    auto const found = relations.dependencies(c.tables);
    std::string text;
    for (TableName const& table : found.tables)
        text += text_of(table) + " ";
    BOOST_TEST(text == c.expected);
    BOOST_TEST((found.unreported ? text_of(*found.unreported) : "") == c.unreported);
}

BOOST_AUTO_TEST_CASE(nothing_is_told_of_tables_before_they_are_read) {
    std::string_view const tables[] = {"posts"};
    BOOST_TEST(db::TableRelations().dependencies(tables).unreported.has_value());
}

BOOST_AUTO_TEST_CASE(a_table_is_among_its_own_ancestors_if_keys_lead_back_to_it) {
    auto const ancestors_of = [](char const* name) {
        std::string text;
        for (auto const& ancestor : relations.find(own(name))->ancestors)
            text += text_of(ancestor) + " ";
        return text;
    };
    BOOST_TEST(ancestors_of("alone") == "");
    BOOST_TEST(ancestors_of("tags") == "tags ");
    BOOST_TEST(ancestors_of("users") == "groups users ");
    BOOST_TEST(ancestors_of("posts") == "groups users ");
    BOOST_TEST(ancestors_of("abroad") == "other.posts other.users ");
}

BOOST_AUTO_TEST_SUITE_END()
