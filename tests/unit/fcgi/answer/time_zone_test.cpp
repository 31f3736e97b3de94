#include "db/plan/time_zone.hpp"

#include "db/plan/cast.hpp"
#include "fcgi/answer/scalar_json.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(time_zone)

namespace {

// The zone belongs to the whole process, so it goes back to what the other tests expect.
struct InParis {
    InParis() { BOOST_REQUIRE(db::set_time_zone("Europe/Paris")); }
    ~InParis() {
        db::set_time_zone("Etc/UTC");
        db::set_time_zone("UTC");
    }
};

std::string answered(std::string_view cell) {
    db::Attribute attribute;
    attribute.type = db::AttributeType::datetime;
    std::string out;
    fcgi::append_scalar(out, attribute, cell);
    return out;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_column_holds_the_clock_on_the_wall_of_the_cms, InParis) {
    BOOST_TEST(answered("2024-02-03 04:05:06.789000") == "\"2024-02-03T03:05:06.789Z\"");
    BOOST_TEST(answered("2024-07-03 00:30:00.000000") == "\"2024-07-02T22:30:00.000Z\"");
    BOOST_TEST(answered("1969-12-31 23:59:59.999000") == "\"1969-12-31T22:59:59.999Z\"");
}

BOOST_FIXTURE_TEST_CASE(a_filter_compares_with_the_clock_on_the_wall_of_the_cms, InParis) {
    BOOST_TEST(db::cast_datetime("2024-07-02T22:30:00Z").value() == "2024-07-03 00:30:00.000");
    BOOST_TEST(db::cast_datetime("2024-07-03T00:30:00").value() == "2024-07-03 00:30:00.000");
}

BOOST_AUTO_TEST_CASE(a_zone_that_the_system_does_not_know_is_refused) {
    BOOST_TEST(!db::set_time_zone("Atlantis/Capital"));
    BOOST_TEST(!db::set_time_zone("../../../etc/passwd"));
    BOOST_TEST(!db::set_time_zone(""));
    db::set_time_zone("UTC");
}

BOOST_AUTO_TEST_SUITE_END()
