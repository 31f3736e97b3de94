#include "fixture.hpp"
#include "load.hpp"
#include "tests/conformance/record.hpp"

#include <iostream>
#include <set>

// Many requests leave the process as it was: 100,000, or what SOAK_REQUESTS says.

using namespace faults;

BOOST_AUTO_TEST_SUITE(soak)

namespace {

// Distinct recorded reads of the public, evenly taken from all of them.
std::vector<std::string> recorded_uris(std::size_t count) {
    std::set<std::string> all;
    for (auto const& record : conformance::read_records(EXAMPLE_DATA "/recorded.jsonl.gz"))
        if (record.status == 200 && record.method == "GET" && record.auth == "public" &&
            record.headers.empty())
            all.insert(record.path);
    BOOST_TEST_REQUIRE(all.size() > count);
    std::vector<std::string> uris;
    std::size_t number = 0;
    for (auto const& uri : all)
        if (number++ * count / all.size() == uris.size()) uris.push_back(uri);
    uris.resize(count);
    return uris;
}

long resident_kilobytes(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/status");
    for (std::string word; file >> word;)
        if (word == "VmRSS:" && file >> word) return std::stol(word);
    return 0;
}

void wait_for(Load const& load, unsigned long responses) {
    while (load.right() + load.refused() + load.wrong() < responses)
        std::this_thread::sleep_for(50ms);
}

} // namespace

BOOST_AUTO_TEST_CASE(many_requests_leave_memory_and_descriptors_as_they_were) {
    auto const requests = server::number("SOAK_REQUESTS", 100'000);
    ApplicationProcess const application(
        {.database = server::setting("POPULATE_TEST_DATABASE"), .is_patient = true});
    auto const expected =
        requests_with_responses(recorded_uris(500), ask_socket(application.address()));
    Load load(expected, 4, [&] { return ask_socket(application.address()); });
    wait_for(load, requests / 5); // warm
    auto const memory = resident_kilobytes(application.id());
    auto const files = application.open_files();
    auto const start = Clock::now();
    wait_for(load, requests);
    auto const seconds = std::chrono::duration<double>(Clock::now() - start).count();
    auto const growth = resident_kilobytes(application.id()) - memory;
    BOOST_TEST(application.open_files() == files);
    load.stop();
    std::cout << load.right() << " right, " << load.refused() << " refused, " << load.wrong()
              << " wrong; " << static_cast<double>(requests) * 0.8 / seconds << "/s; " << memory
              << " KiB resident after the first fifth, " << growth << " KiB more in the end\n";
    BOOST_TEST(load.wrong() == 0U, load.first_wrong());
    BOOST_TEST(load.refused() == 0U);
    if (!sanitized) BOOST_TEST(growth < 4 * 1024);
}

BOOST_AUTO_TEST_SUITE_END()
