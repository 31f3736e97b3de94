#pragma once

#include <array>
#include <chrono>
#include <span>

#include <sys/epoll.h>

namespace fcgi {

// Waits until something happens at descriptors, each of which has a tag that says which it is. Used
// by one thread, except for wake().
class Epoll {
  public:
    using Time = std::chrono::steady_clock::time_point;

    Epoll(); // throws std::system_error if the system gives no descriptors
    Epoll(Epoll const&) = delete;
    Epoll& operator=(Epoll const&) = delete;
    ~Epoll();

    // Calls epoll_ctl. Returns false on an error; `tag` is not null.
    bool watch(int fd, unsigned events, void* tag, int operation = EPOLL_CTL_ADD) const;
    void unwatch(int fd) const;

    // Makes wait() return. Any thread may call this, and a signal handler, too.
    void wake() const noexcept;

    // Returns what happened by `end` at the latest, valid until the next call. A wake has a null
    // tag.
    std::span<epoll_event const> wait(Time end);

  private:
    int epoll_;
    int wake_event_;
    std::array<epoll_event, 128> events_;
};

} // namespace fcgi
