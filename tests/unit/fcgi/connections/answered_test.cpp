#include "fcgi/connections/answered.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <string>

namespace {

using fcgi::Answered;
using fcgi::Client;

// One that is answered in full, has to be kept, and has said nothing since.
struct Done : Client {
    Done() : Client(-1, 100) { keep = true; }
};

} // namespace

BOOST_AUTO_TEST_SUITE(answered)

BOOST_AUTO_TEST_CASE(the_dispatcher_is_woken_for_who_needs_it) {
    struct {
        std::string what;
        std::function<void(Client&)> make;
        bool is_woken;
    } const table[] = {
        {"is done", [](Client&) {}, false},
        {"is to be closed", [](Client& client) { client.keep = false; }, true},
        {"takes the rest of its answer",
         [](Client& client) { client.answer = std::make_shared<fcgi::Response>(); }, true},
        {"sent the next request along", [](Client& client) { client.unread = "next"; }, true},
        {"said something meanwhile", [](Client& client) { client.is_waiting = true; }, true},
    };
    for (auto const& [what, make, is_woken] : table) {
        Answered answered;
        Done client;
        make(client);
        BOOST_TEST(answered.put(client) == is_woken, what);
        BOOST_TEST(answered.take() == std::vector<Client*>{&client},
                   boost::test_tools::per_element());
        BOOST_TEST(answered.take().empty());
    }
}

BOOST_AUTO_TEST_CASE(it_is_woken_once_until_it_looks) {
    Answered answered;
    Done done, first, second, third;
    for (Client* client : {&first, &second, &third})
        client->is_waiting = true;
    BOOST_TEST(!answered.put(done));
    BOOST_TEST(answered.put(first));
    BOOST_TEST(!answered.put(second));
    BOOST_TEST(answered.take().size() == 3U);
    BOOST_TEST(answered.put(third));
}

BOOST_AUTO_TEST_CASE(about_to_stop_it_is_woken_for_each) {
    Answered answered;
    Done before, after;
    BOOST_TEST(!answered.put(before));
    answered.await_each();
    BOOST_TEST(answered.put(after));
    BOOST_TEST(answered.take().size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
