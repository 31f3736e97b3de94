#pragma once

#include "client.hpp"
#include "process.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <string>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// Hears what a process tells its service manager: sd_notify(3).
class ServiceManager {
  public:
    ServiceManager() {
        sockaddr_un where{.sun_family = AF_UNIX, .sun_path = "@populate-fcgi-test-"};
        name_ = where.sun_path + std::to_string(::getpid());
        name_.copy(where.sun_path, name_.size());
        where.sun_path[0] = '\0'; // an abstract name
        auto const size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size());
        BOOST_REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&where), size) == 0);
    }
    ~ServiceManager() { ::close(socket_); }

    std::string variable() const { return "NOTIFY_SOCKET=" + name_; }

    // Empty: there was none for so long.
    std::string notice(std::chrono::seconds patience = fastcgi::Client::patience) const {
        timeval const time{patience.count(), 0};
        ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &time, sizeof time);
        char text[1'000];
        auto const count = ::recv(socket_, text, sizeof text, 0);
        return std::string(text, count < 0 ? 0 : static_cast<std::size_t>(count));
    }
    // Leaves out those before it.
    bool hears(std::string const& begin) const {
        return eventually([&] { return notice(std::chrono::seconds(1)).starts_with(begin); });
    }

  private:
    int const socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    std::string name_;
};
