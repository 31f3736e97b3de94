#include "fcgi/server/dispatcher.hpp"
#include "fcgi/server/worker.hpp"
#include "tests/allocation/failing_new.hpp"
#include "tests/fastcgi/client.hpp"

#include <boost/test/unit_test.hpp>

#include <memory>
#include <string>
#include <thread>

#include <unistd.h>

// A dispatcher on which one allocation fails: it costs a connection at most.

BOOST_AUTO_TEST_SUITE(dispatcher)

namespace {

struct Serving {
    explicit Serving(std::string const& address)
        : listener(fcgi::Listener::open(address, {}).value()),
          dispatcher(listener, *service, options, queue),
          worker([this] { work(); }),
          thread([this] {
              failing_new::take_part();
              result = dispatcher.run();
          }) {}
    ~Serving() {
        dispatcher.stop();
        thread.join();
        queue.close();
        worker.join();
        BOOST_TEST(result == 0);
    }

    // Answers each request with its query.
    void work() {
        fcgi::Delivery delivery(options, queue, dispatcher.returned());
        while (fcgi::Client const* const client = delivery.next()) {
            delivery.response().body.own() = client->request.query;
            delivery.send();
        }
    }

    static fcgi::Options content() {
        fcgi::Options content;
        content.schema = PROJECTS "/ks";
        return content;
    }

    std::unique_ptr<fcgi::Service> const service = fcgi::Service::create(content()).value();
    fcgi::ServerOptions options{
        .workers = 1,
        .limits = {.request = std::chrono::minutes(5), .acquire = std::chrono::minutes(5)},
        .reload = {}};
    fcgi::RequestQueue queue{options};
    fcgi::Listener listener;
    fcgi::Dispatcher dispatcher;
    int result = -1;
    std::thread worker;
    std::thread thread;
};

} // namespace

BOOST_AUTO_TEST_CASE(an_allocation_that_fails_costs_one_connection_at_most) {
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
                // closed without a response
            }
            failed = failing_new::stop();
            BOOST_TEST_REQUIRE(ask() == query);
            BOOST_TEST_REQUIRE(n < 1'000);
        }
    }
}

BOOST_AUTO_TEST_SUITE_END()
