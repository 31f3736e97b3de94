#include "fcgi/metrics/exposition.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

BOOST_AUTO_TEST_SUITE(process_usage)

namespace {

constexpr auto started = std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'001));

double value(std::string const& text, std::string const& name) {
    auto const line = text.find("\nprocess_" + name + ' ');
    BOOST_TEST_REQUIRE(line != text.npos, text);
    return std::strtod(text.c_str() + text.find(' ', line), nullptr);
}

} // namespace

BOOST_AUTO_TEST_CASE(memory_descriptors_and_start_of_the_process_are_reported) {
    constexpr std::size_t more = 64 * 1024 * 1024;
    auto const before = fcgi::process_usage(started);
    std::vector<char> const touched(more, 'x');
    int const descriptor = ::dup(STDIN_FILENO);
    auto const after = fcgi::process_usage(started);
    ::close(descriptor);
    auto const resident = value(after, "resident_memory_bytes");
    BOOST_TEST(resident >= value(before, "resident_memory_bytes") + more * 0.9);
    BOOST_TEST(value(after, "virtual_memory_bytes") >= resident);
    BOOST_TEST(value(after, "open_fds") == value(before, "open_fds") + 1);
    BOOST_TEST(value(after, "max_fds") >= value(after, "open_fds"));
    BOOST_TEST(after.find("\nprocess_start_time_seconds 1700000001\n") != after.npos, after);
}

BOOST_AUTO_TEST_SUITE_END()
