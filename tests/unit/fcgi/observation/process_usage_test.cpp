#include "fcgi/observation/process_usage.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <csignal>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

BOOST_AUTO_TEST_SUITE(process_usage)

using namespace fcgi;

namespace {

// A process that does nothing until it is ended.
struct Child {
    Child() {
        if (process != 0) return;
        for (;;)
            ::pause();
    }
    ~Child() { end(); }
    void end() {
        if (process > 0) ::kill(process, SIGKILL), ::waitpid(process, nullptr, 0);
        process = -1;
    }
    pid_t process = ::fork();
};

} // namespace

BOOST_AUTO_TEST_CASE(memory_and_descriptors_of_a_process_are_told) {
    constexpr std::size_t more = 64 * 1024 * 1024;
    auto const before = usage_of(::getpid());
    BOOST_TEST_REQUIRE(before.has_value());
    std::vector<char> const touched(more, 'x');
    int const descriptor = ::dup(STDIN_FILENO);
    auto const after = usage_of(::getpid());
    ::close(descriptor);
    BOOST_TEST(after->resident_bytes >= before->resident_bytes + more * 0.9);
    BOOST_TEST(after->virtual_bytes >= after->resident_bytes);
    BOOST_TEST(after->open_fds == before->open_fds + 1);
    BOOST_TEST(after->max_fds >= after->open_fds);
}

BOOST_AUTO_TEST_CASE(another_process_is_told_of_until_it_is_gone) {
    Child child;
    pid_t const process = child.process;
    auto const usage = usage_of(process);
    BOOST_TEST_REQUIRE(usage.has_value());
    BOOST_TEST(usage->resident_bytes > 0);
    child.end();
    BOOST_TEST(!usage_of(process).has_value());
}

BOOST_AUTO_TEST_CASE(the_text_is_empty_without_the_first_and_goes_on_without_others) {
    Child gone;
    pid_t const process = gone.process;
    gone.end();
    auto const now = std::chrono::system_clock::from_time_t(1'700'000'001);
    BOOST_TEST(usage_text(std::vector{process, ::getpid()}, now) == "");
    auto const text = usage_text(std::vector{::getpid(), process}, now);
    BOOST_TEST(text.find("\nprocess_start_time_seconds 1700000001\n") != text.npos, text);
    BOOST_TEST(text.find("\nprocess_resident_memory_bytes 0\n") == text.npos, text);
}

BOOST_AUTO_TEST_SUITE_END()
