#include "fcgi/server/answered.hpp"

#include <boost/test/unit_test.hpp>

#include <functional>
#include <memory>
#include <string>

BOOST_AUTO_TEST_SUITE(answered)

namespace {

using fcgi::Answered;
using fcgi::Client;

// One that is answered in full, has to be kept, and has said nothing since.
struct Done : Client {
    Done() : Client(-1, 100) { keep = true; }
};

struct Waking {
    bool is_woken_by(Client& client) {
        answered.put(client);
        return !dispatcher.wait(fcgi::Epoll::Time::min()).empty();
    }

    fcgi::Epoll dispatcher;
    Answered answered{dispatcher};
};

} // namespace

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
        Waking waking;
        Answered& answered = waking.answered;
        Done client;
        make(client);
        BOOST_TEST(waking.is_woken_by(client) == is_woken, what);
        BOOST_TEST(answered.take() == std::vector<Client*>{&client},
                   boost::test_tools::per_element());
        BOOST_TEST(answered.take().empty());
    }
}

BOOST_AUTO_TEST_CASE(it_is_woken_once_until_it_looks) {
    Waking waking;
    Done done, first, second, third;
    for (Client* client : {&first, &second, &third})
        client->is_waiting = true;
    BOOST_TEST(!waking.is_woken_by(done));
    BOOST_TEST(waking.is_woken_by(first));
    BOOST_TEST(!waking.is_woken_by(second));
    BOOST_TEST(waking.answered.take().size() == 3U);
    BOOST_TEST(waking.is_woken_by(third));
}

BOOST_AUTO_TEST_CASE(about_to_stop_it_is_woken_for_each) {
    Waking waking;
    Done before, after;
    BOOST_TEST(!waking.is_woken_by(before));
    waking.answered.await_each();
    BOOST_TEST(waking.is_woken_by(after));
    BOOST_TEST(waking.answered.take().size() == 2U);
}

BOOST_AUTO_TEST_SUITE_END()
