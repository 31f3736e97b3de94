#include "db/binlog/row_tag.hpp"

#include "db/binlog/changes.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(tag_names)

namespace {

using db::RowTag;
using Aspect = RowTag::Aspect;

constexpr auto secret = "0123456789abcdef";

std::vector<RowTag> tags_of(db::ChangeLog::Table const* table) {
    return {
        {table, Aspect::undecoded},
        {table, Aspect::inserted},
        {table, Aspect::deleted},
        {table, Aspect::column, 1},
        {table, Aspect::column, 256},
        {table, Aspect::column, 258},
        {table, Aspect::value, 0, db::tag_value(7)},
        {table, Aspect::value, 0, db::tag_value(8)},
        {table, Aspect::value, 3, *db::tag_value("a-b")},
        {table, Aspect::other_value, 3},
    };
}

} // namespace

// HMAC-SHA256 by another program: `printf 'shop\0goods\0\4\3\0a-b' | openssl dgst -sha256 -hmac …`
BOOST_AUTO_TEST_CASE(names_are_the_same_in_every_program_with_the_secret) {
    db::LastChanges changes;
    db::TagNames names(secret);
    auto const* const goods = changes.table("shop", "goods");
    BOOST_TEST(names.of_all() == "SW3JP6LS");
    BOOST_TEST(names.of(*goods) == "oxpLENU4");
    BOOST_TEST(names.of({goods, Aspect::inserted}) == "lyj9L33p");
    BOOST_TEST(names.of({goods, Aspect::column, 258}) == "L-F8agGz");
    BOOST_TEST(names.of({goods, Aspect::value, 0, db::tag_value(7)}) == "us0wQOxD");
    BOOST_TEST(names.of({goods, Aspect::value, 3, *db::tag_value("a-b")}) == "FWa8gm0g");
}

BOOST_AUTO_TEST_CASE(names_follow_the_name_of_a_table_in_any_letter_case) {
    db::LastChanges one, other;
    other.table("shop", "orders"); // so that goods is elsewhere in memory
    db::TagNames names(secret);
    BOOST_TEST(names.of(*one.table("shop", "goods")) == names.of(*other.table("Shop", "GOODS")));
}

BOOST_AUTO_TEST_CASE(different_tags_have_different_names) {
    db::LastChanges changes;
    db::TagNames names(secret);
    std::multiset<std::string> all{names.of_all()};
    for (auto const* const table :
         {changes.table("shop", "goods"), changes.table("shop", "orders"),
          changes.table("shopg", "oods"), changes.table("outlet", "goods")}) {
        all.insert(names.of(*table));
        for (RowTag const& tag : tags_of(table))
            all.insert(names.of(tag));
    }
    for (std::string const& name : all)
        BOOST_TEST(all.count(name) == 1U, name);
}

BOOST_AUTO_TEST_CASE(another_secret_makes_other_names) {
    db::LastChanges changes;
    auto const* const goods = changes.table("shop", "goods");
    db::TagNames names(secret), others("0123456789abcdeg");
    BOOST_TEST(names.of_all() != others.of_all());
    BOOST_TEST(names.of(*goods) != others.of(*goods));
}

BOOST_AUTO_TEST_SUITE_END()
