#include "fcgi/http/route.hpp"

#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <ostream>
#include <string>

namespace {

struct Case {
    char const* segment;
    char const* id;
};

std::ostream& operator<<(std::ostream& out, Case const& c) {
    return out << c.segment;
}

} // namespace

BOOST_AUTO_TEST_SUITE(route)

Case const ids[] = {
    {"1", "1"},     {"a%20b", "a b"},   {"%F0%9F%98%80", "\U0001F600"},
    {"%FF", "%FF"}, {"\xFF", "\uFFFD"}, {"1\xE2\x82%20", "1\uFFFD "},
};

// A statement with other bytes would be an error of the database.
BOOST_DATA_TEST_CASE(an_id_is_decoded_and_always_utf8, ids) {
    static auto const schema = db::load_schema(TEST_DATA "/ks/project").value();
    std::string const path = std::string("/api/articles/") + sample.segment;
    BOOST_TEST(fcgi::find_route(path, "/api", *schema).target.id == sample.id);
}

BOOST_AUTO_TEST_SUITE_END()
