#include "fcgi/cache/dependencies.hpp"

#include "db/binlog/row_tag.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(dependencies)

namespace {

using db::RowTag;
using Aspect = RowTag::Aspect;
using Names = std::set<std::string>;

// Posts have an author, and go with that. Nothing is known of the columns of `views`, and `marks`
// have no id.
struct Site {
    db::ChangeLog log{db::ChangeLog::Settings(), [](db::ChangeLogEvent const&) {}};
    db::ChangeLog::Table const* posts = log.table("posts");
    db::ChangeLog::Table const* authors = log.table("authors");
    db::TableRelations const relations = db::TableRelations(
        {{db::table_name("posts"),
          {.follows_log = true,
           .parents = {db::table_name("authors")},
           .columns = {{"id", 0}, {"title", 1}, {"slug", 2}}}},
         {db::table_name("authors"), {.follows_log = true, .columns = {{"id", 0}, {"name", 1}}}},
         {db::table_name("views"), {.follows_log = true, .parents = {db::table_name("authors")}}},
         {db::table_name("marks"), {.follows_log = true, .columns = {{"name", 0}}}}});
    db::RowKeys keys{{db::table_name("posts"), {"id", "slug"}},
                     {db::table_name("authors"), {"id"}}};
    db::TagNames names{"0123456789abcdef"};

    std::string text(db::RowUses uses) {
        fcgi::Naming naming{names, keys, ' '};
        return fcgi::dependencies_of(std::move(uses), relations, log, &naming).names;
    }
    Names of(db::RowUses uses) {
        Names found;
        std::istringstream stream(text(std::move(uses)));
        for (std::string name; stream >> name;)
            BOOST_TEST(found.insert(name).second, name);
        return found;
    }
    Names whole(std::vector<std::string_view> const& tables) {
        Names found{names.of_all()};
        for (auto const table : tables)
            found.insert(names.of(*log.table(table)));
        return found;
    }
    // Those of the tags, of what an author takes along, and of all.
    Names expected(std::vector<RowTag> tags) {
        tags.insert(tags.end(), {{authors, Aspect::undecoded},
                                 {authors, Aspect::deleted},
                                 {authors, Aspect::column, 0}});
        Names found{names.of_all()};
        for (RowTag const& tag : tags)
            found.insert(names.of(tag));
        return found;
    }
};

db::RowUse::Values ids(std::uint64_t count) {
    db::RowUse::Values values;
    for (std::uint64_t id = 1; id <= count; ++id)
        values.ids.push_back(id);
    return values;
}

} // namespace

BOOST_AUTO_TEST_CASE(names_are_those_of_all_changes_that_count) {
    Site site;
    BOOST_TEST((site.of({{"posts", {.values = {{"id", ids(2)}}, .columns = {"title"}}}}) ==
                site.expected({{site.posts, Aspect::undecoded},
                               {site.posts, Aspect::other_value, 0},
                               {site.posts, Aspect::value, 0, db::tag_value(1)},
                               {site.posts, Aspect::value, 0, db::tag_value(2)},
                               {site.posts, Aspect::column, 1}})));
    BOOST_TEST(
        (site.of({{"posts", {.values = {{"slug", {.texts = {"A-slug"}}}}, .inserted = true}}}) ==
         site.expected({{site.posts, Aspect::undecoded},
                        {site.posts, Aspect::inserted},
                        {site.posts, Aspect::column, 0},
                        {site.posts, Aspect::other_value, 2},
                        {site.posts, Aspect::value, 2, *db::tag_value("a-slug")}})));
}

BOOST_AUTO_TEST_CASE(a_table_whose_rows_are_not_told_apart_is_named_as_a_whole) {
    Site site;
    auto whole = site.expected({});
    whole.insert(site.names.of(*site.posts));
    BOOST_TEST((site.of({{"posts", {.all = true}}}) == whole));
    // The text of a row's value is in no tag.
    BOOST_TEST((site.of({{"posts", {.values = {{"slug", {.texts = {"a slug"}}}}}}}) == whole));
    // Caches in front would not hear of it.
    db::RowUses const by_title{{"posts", {.values = {{"title", {.texts = {"a"}}}}}}};
    BOOST_TEST((site.of(by_title) == whole));
    site.keys[db::table_name("posts")].insert("title");
    BOOST_TEST((site.of(by_title) != whole));
    db::RowUses const by_absent{{"posts", {.columns = {"absent"}}}};
    BOOST_TEST((site.of(by_absent) == whole));
    BOOST_TEST((site.of({{"marks", {.inserted = true}}}) == site.whole({"marks"})));
}

BOOST_AUTO_TEST_CASE(where_it_is_not_known_how_a_foreign_key_leads_on_all_rows_there_count) {
    Site site;
    BOOST_TEST((site.of({{"views", {.inserted = true}}}) == site.whole({"views", "authors"})));
}

BOOST_AUTO_TEST_CASE(the_ends_of_links_count_once_unless_the_links_are_taken_as_a_whole) {
    Site site;
    BOOST_TEST((site.of({{"posts", {.inserted = true, .ends = {"authors"}}}}) ==
                Names{site.names.of_all(), site.names.of({site.posts, Aspect::undecoded}),
                      site.names.of({site.posts, Aspect::inserted}),
                      site.names.of({site.posts, Aspect::column, 0})}));
    auto whole = site.expected({});
    whole.insert(site.names.of(*site.posts));
    BOOST_TEST((site.of({{"posts", {.all = true, .ends = {"authors"}}}}) == whole));
}

BOOST_AUTO_TEST_CASE(of_more_than_two_hundred_tags_those_of_the_largest_table_are_all_its_rows) {
    Site site;
    auto whole = site.expected({{site.authors, Aspect::other_value, 0},
                                {site.authors, Aspect::value, 0, db::tag_value(1)}});
    whole.insert(site.names.of(*site.posts));
    auto const uses = [](std::uint64_t posts) {
        return db::RowUses{{"posts", {.values = {{"id", ids(posts)}}}},
                           {"authors", {.values = {{"id", ids(1)}}}}};
    };
    BOOST_TEST((site.of(uses(200)) == whole));
    BOOST_TEST(site.of(uses(199)).size() == whole.size() - 1 + 2 + 199);
}

BOOST_AUTO_TEST_CASE(without_a_naming_there_are_no_names_and_the_same_slots) {
    Site site;
    db::RowUses const uses{{"posts", {.values = {{"id", ids(20)}}, .deleted = true}}};
    fcgi::Naming naming{site.names, site.keys, ' '};
    auto const with = fcgi::dependencies_of(uses, site.relations, site.log, &naming);
    auto const without = fcgi::dependencies_of(uses, site.relations, site.log);
    BOOST_TEST(without.names == "");
    BOOST_TEST(with.slots == without.slots);
    BOOST_TEST((with.tables == without.tables));
}

// At 9 bytes a name, 455 of them. Of each table there are four names, or its own.
BOOST_AUTO_TEST_CASE(names_take_four_kilobytes_at_most) {
    Site site;
    db::TableRelations::Tables tables;
    std::vector<std::string> list;
    for (int i = 0; i < 460; ++i)
        list.push_back("table" + std::to_string(i));
    for (std::string const& name : list) {
        tables[db::table_name(name)] = {.follows_log = true, .columns = {{"id", 0}}};
        site.keys[db::table_name(name)] = {"id"};
    }
    db::TableRelations const relations(tables);
    fcgi::Naming naming{site.names, site.keys, ','};
    std::pair<std::size_t, std::size_t> const cases[] = {
        {1, 1 + 5}, {100, 1 + 5 + 4 * 99}, {120, 454}, {454, 1 + 454}};
    auto const names_of = [&](std::size_t count) {
        db::RowUses uses;
        for (std::size_t i = 0; i < count; ++i)
            uses[list[i]] = {.values = {{"id", ids(i == 0 ? 1 : 0)}}, .deleted = true};
        return fcgi::dependencies_of(uses, relations, site.log, &naming).names;
    };
    for (auto const& [count, names] : cases) {
        auto const text = names_of(count);
        BOOST_TEST(text.size() <= 4'096U, count);
        BOOST_TEST(text.starts_with(site.names.of_all()), count);
        auto const separators = static_cast<std::size_t>(std::ranges::count(text, ','));
        BOOST_TEST(separators + 1 == names, count << ": " << separators + 1);
    }
    BOOST_TEST(names_of(455) == "", "a change of one of the tables would not be heard of");
}

BOOST_AUTO_TEST_SUITE_END()
