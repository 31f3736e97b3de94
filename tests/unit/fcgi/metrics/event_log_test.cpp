#include "fcgi/metrics/event_log.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>

BOOST_AUTO_TEST_SUITE(event_log)

using namespace fcgi;

BOOST_AUTO_TEST_CASE(a_message_has_words_and_number_in_their_places_and_no_part_without_its_word) {
    std::pair<Notice, std::string> const rows[] = {
        {{"stopped"}, "stopped"},
        {{"serving", {"tcp:127.0.0.1:9000"}}, "serving at tcp:127.0.0.1:9000"},
        {{"stopping", {}, 7}, "stopping, requests in flight: 7"},
        {{"connections-refused", {"8", "why"}, 3},
         "connections: 8, of which the database grants 3: why"},
        {{"cache-refused", {"what", "detail", "fix"}}, "the cache is off: what: detail; fix"},
        {{"cache-refused", {"what", "", "fix"}}, "the cache is off: what; fix"},
        {{"cache-refused", {"what", "detail", ""}}, "the cache is off: what: detail"},
        {{"cache-refused", {"what"}}, "the cache is off: what"},
        {{"left-out", {"100 %", "[#]"}}, "left out: 100 %: [#]"},
        {{"sending-bytes", {}, 1}, ""},
    };
    for (auto const& [event, message] : rows)
        BOOST_TEST(text_of(event) == message);
}

BOOST_AUTO_TEST_SUITE_END()
