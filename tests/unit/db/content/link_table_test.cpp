#include "db/content/link_table.hpp"

#include "tests/unit/example_schema.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(link_table)

namespace {

struct Fixture {
    // What an entry lists in an attribute of its type.
    void list(std::uint64_t id, char const* uid, char const* name,
              std::vector<std::uint64_t> const& others) {
        auto const& attribute = *schema->find(uid)->find(name);
        std::vector<db::LinkTable::Linked> linked;
        for (auto const other : others)
            linked.push_back({{other, other}, attribute.target, ""});
        table.add(attribute, {id, id}, linked);
    }
    // `owner>target position inverse`, in the order in which they are written.
    std::vector<std::string> pairs() {
        std::vector<std::string> texts;
        for (auto const& pair : table.pairs(errors))
            texts.push_back(std::to_string(pair.owner) + '>' + std::to_string(pair.target) + ' ' +
                            std::to_string(static_cast<int>(*pair.position)) + ' ' +
                            std::to_string(static_cast<int>(*pair.inverse)));
        return texts;
    }
    explicit Fixture(char const* relation)
        : table(*schema->find("api::article.article"),
                *schema->find("api::article.article")->find(relation)) {}

    std::shared_ptr<db::Schema const> schema = example_schema();
    db::LinkTable table;
    std::vector<std::string> told;
    db::ContentErrors errors{[this](std::string const& error) { told.push_back(error); }};
};

using Texts = std::vector<std::string>;

} // namespace

BOOST_AUTO_TEST_CASE(each_side_has_an_order_of_its_own) {
    Fixture tags("tags");
    tags.list(11, "api::article.article", "tags", {6, 5});
    tags.list(12, "api::article.article", "tags", {5});
    tags.list(5, "api::tag.tag", "articles", {12, 11});
    BOOST_TEST(tags.pairs() == (Texts{"11>6 1 1", "11>5 2 2", "12>5 1 1"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_pair_that_one_side_names_is_behind_those_that_both_name) {
    Fixture tags("tags");
    tags.list(11, "api::article.article", "tags", {5});
    tags.list(12, "api::article.article", "tags", {5});
    tags.list(5, "api::tag.tag", "articles", {12});
    BOOST_TEST(tags.pairs() == (Texts{"11>5 1 2", "12>5 1 1"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(who_has_room_for_one_is_named_by_one) {
    Fixture authors("author");
    authors.list(1, "api::author.author", "articles", {11});
    authors.list(2, "api::author.author", "articles", {11, 12});
    authors.pairs();
    BOOST_TEST(authors.told ==
                   (Texts{"api::article.article 11: author: expected one entry, received [1, 2]"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
