#include "fcgi/connections/dispatcher.hpp"
#include "tests/allocation/failing_new.hpp"
#include "tests/fastcgi/client.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>

#include <unistd.h>

// A dispatcher on which one allocation fails: it costs a connection at most.

namespace {

struct Serving {
    explicit Serving(std::string const& address)
        : listener(fcgi::Listener::open(address, {}).value()),
          dispatcher(listener, options, handler),
          thread([this] {
              failing_new::take_part();
              result = dispatcher.run();
          }) {}
    ~Serving() {
        dispatcher.stop();
        thread.join();
        BOOST_TEST(result == 0);
    }

    fcgi::ServerOptions options{.workers = 2, .limits = {}, .reload = {}};
    fcgi::Handler handler = [](fcgi::Request const& request, fcgi::Response& response) {
        response.body.own() = request.query;
    };
    fcgi::Listener listener;
    fcgi::Dispatcher dispatcher;
    int result = -1;
    std::thread thread;
};

} // namespace

BOOST_AUTO_TEST_SUITE(dispatcher)

BOOST_AUTO_TEST_CASE(r1_an_allocation_that_fails_costs_one_connection_at_most) {
    auto const address = "unix:/tmp/populate-allocation." + std::to_string(::getpid());
    Serving const serving(address);
    auto const query = std::string(1'000, 'q');
    auto const ask = [&] {
        auto client = fastcgi::Client::connect(address);
        return client.ask(fastcgi::get("/?" + query)).body;
    };
    BOOST_TEST(ask() == query);
    bool failed = true;
    for (long n = 1; failed; ++n) {
        BOOST_TEST_CONTEXT("allocation " << n) {
            failing_new::fail_at(n);
            try {
                BOOST_TEST(ask() == query);
            } catch (std::runtime_error const&) {
                // closed without an answer
            }
            failed = failing_new::stop();
            BOOST_TEST_REQUIRE(ask() == query);
            BOOST_TEST_REQUIRE(n < 1'000);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
