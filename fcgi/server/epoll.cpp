#include "fcgi/server/epoll.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>

#include <sys/eventfd.h>
#include <unistd.h>

namespace fcgi {

namespace {

int checked(int descriptor, char const* what) {
    if (descriptor < 0) throw std::system_error(errno, std::generic_category(), what);
    return descriptor;
}

} // namespace

Epoll::Epoll()
    : epoll_(checked(::epoll_create1(EPOLL_CLOEXEC), "epoll_create1")),
      wake_event_(checked(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK), "eventfd")) {
    if (!watch(wake_event_, EPOLLIN | EPOLLET, nullptr)) checked(-1, "epoll_ctl");
}

Epoll::~Epoll() {
    ::close(epoll_);
    ::close(wake_event_);
}

bool Epoll::watch(int fd, unsigned events, void* tag, int operation) const {
    epoll_event event{};
    event.events = events;
    event.data.ptr = tag;
    return ::epoll_ctl(epoll_, operation, fd, &event) == 0;
}

void Epoll::unwatch(int fd) const {
    ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
}

// The event is edge-triggered: each write is reported once, and the counter need not be read.
void Epoll::wake() const noexcept {
    std::uint64_t const one = 1;
    [[maybe_unused]] auto written = ::write(wake_event_, &one, sizeof one);
}

std::span<epoll_event const> Epoll::wait(Time end) {
    int timeout = -1;
    if (end != Time::max()) {
        auto const now = Time::clock::now();
        auto const left = std::chrono::ceil<std::chrono::milliseconds>(std::max(end, now) - now);
        timeout = static_cast<int>(std::clamp<long>(left.count(), 0, 60'000));
    }
    int const count =
        ::epoll_wait(epoll_, events_.data(), static_cast<int>(events_.size()), timeout);
    return std::span(events_).first(static_cast<std::size_t>(std::max(count, 0)));
}

} // namespace fcgi
