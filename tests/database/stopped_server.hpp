#pragma once

#include "tests/database/server.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace server {

inline bool is_thread_stopped(std::filesystem::path const& thread) {
    std::ifstream file(thread / "stat");
    std::string const stat(std::istreambuf_iterator<char>(file), {});
    return stat.find(") T ") != std::string::npos;
}

// While this lives, the process answers nothing and closes no connection.
class Stopped {
  public:
    // kill() returns before every thread is stopped, and one that is not could still answer.
    explicit Stopped(pid_t process) : process_(process) {
        BOOST_TEST_REQUIRE(::kill(process_, SIGSTOP) == 0);
        wait_until([this] {
            auto const threads = "/proc/" + std::to_string(process_) + "/task";
            return std::ranges::all_of(
                std::filesystem::directory_iterator(threads),
                [](auto const& thread) { return is_thread_stopped(thread.path()); });
        });
    }
    Stopped(Stopped const&) = delete;
    Stopped& operator=(Stopped const&) = delete;
    ~Stopped() { ::kill(process_, SIGCONT); }

  private:
    pid_t process_;
};

} // namespace server
