#pragma once

#include <array>
#include <chrono>
#include <span>

#include <sys/epoll.h>

namespace fcgi {

// Waits until something happens at descriptors, each of which has a tag that says which it is. Used
// by one thread, but for wake().
class Epoll {
  public:
    using Time = std::chrono::steady_clock::time_point;

    Epoll(); // throws std::system_error where the system gives no descriptors
    Epoll(Epoll const&) = delete;
    Epoll& operator=(Epoll const&) = delete;
    ~Epoll();

    // As epoll_ctl does, where false is an error; `tag` is not null.
    bool watch(int fd, unsigned events, void* tag, int operation = EPOLL_CTL_ADD) const;
    void forget(int fd) const;

    // Ends a wait. Any thread, also in a signal handler.
    void wake() const noexcept;

    // What happened by `end` at the latest, valid until the next call. The tag of a wake is null.
    std::span<epoll_event const> wait(Time end);

  private:
    int epoll_;
    int wake_event_;
    std::array<epoll_event, 128> events_;
};

} // namespace fcgi
