#include "parser/base/client_hash.hpp"

#include "colliding.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <set>

BOOST_AUTO_TEST_SUITE(client_hash)

BOOST_AUTO_TEST_CASE(texts_that_collide_for_the_standard_hash_do_not) {
    std::set<std::size_t> standard, ours;
    auto const texts = colliding::texts_of_one_hash(12);
    for (auto const& text : texts) {
        standard.insert(std::hash<std::string_view>()(text));
        ours.insert(parser::ClientHash()(text));
    }
    BOOST_TEST(standard.size() == 1U);
    BOOST_TEST(ours.size() == texts.size());
}

BOOST_AUTO_TEST_SUITE_END()
