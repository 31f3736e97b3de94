#include "fcgi/process/processes.hpp"

#include "fcgi/process/systemd.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace fcgi {

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto long_enough = 1s;
constexpr std::chrono::milliseconds first_pause = 100ms;
constexpr std::chrono::milliseconds longest_pause = 10s;

struct Child {
    pid_t process = -1; // -1: none runs
    Clock::time_point started = {};
    std::chrono::milliseconds pause{0}; // before the next one starts
    Clock::time_point due = {};         // when it does
    // The socket of its messages to the service manager, in whose place we are.
    int notices = -1;
    Clock::time_point hung = Clock::time_point::max(); // it has hung then, if no WATCHDOG=1 comes
    std::string status = {};
};

sigset_t set_of(std::initializer_list<int> numbers) {
    sigset_t signals;
    sigemptyset(&signals);
    for (int number : numbers)
        sigaddset(&signals, number);
    return signals;
}

class Children {
  public:
    Children(std::size_t count, std::function<int()> const& serve, Observer const& observe)
        : serve_(serve), observe_(observe), children_(count) {}

    void start_due() {
        for (Child& child : children_)
            if (child.process < 0 && child.due <= Clock::now()) start(child);
    }

    // Waits for one of `signals` and returns it, or 0 when the next start or heartbeat is due.
    int wait(sigset_t const& signals) const {
        auto next = heartbeat_.next();
        for (Child const& child : children_)
            if (child.process < 0) next = std::min(next, child.due);
        if (next == Clock::time_point::max()) return std::max(0, ::sigwaitinfo(&signals, nullptr));
        auto const left = std::max(next - Clock::now(), Clock::duration::zero());
        auto const seconds = std::chrono::floor<std::chrono::seconds>(left);
        timespec const time{seconds.count(), std::chrono::nanoseconds(left - seconds).count()};
        return std::max(0, ::sigtimedwait(&signals, nullptr, &time));
    }

    // Reads what they have sent since the last call, and reports it for all together.
    void hear() {
        for (Child& child : children_) {
            std::array<char, 1'024> notice;
            for (ssize_t size; child.process > 0 &&
                               (size = ::recv(child.notices, notice.data(), notice.size(), 0)) > 0;)
                note(child, {notice.data(), static_cast<std::size_t>(size)});
        }
        std::map<std::string, std::size_t> statuses;
        for (Child const& child : children_)
            if (!child.status.empty()) ++statuses[child.status];
        std::string text;
        for (auto const& [status, count] : statuses)
            text.append(text.empty() ? "" : "; ")
                .append(std::to_string(count) + " of " + std::to_string(children_.size()))
                .append(" processes: " + status);
        if (text == told_) return;
        told_ = text;
        tell_systemd("STATUS=" + text);
    }

    // Ends those that have hung, as the service manager would end us.
    void watch() {
        auto const now = Clock::now();
        heartbeat_.beat(now);
        for (Child& child : children_)
            if (child.hung <= now) {
                observe_(event::ProcessHung{child.process});
                child.hung = Clock::time_point::max();
                ::kill(child.process, SIGABRT);
                ::kill(child.process, SIGCONT); // so that a stopped one gets the other signal, too
            }
    }

    // Notes which have ended, and when the next ones start.
    void bury() {
        int status = 0;
        for (pid_t process; (process = ::waitpid(-1, &status, WNOHANG)) > 0;)
            for (Child& child : children_)
                if (child.process == process) expect_another(child, status);
    }

    void signal(int number) const {
        for (Child const& child : children_)
            if (child.process > 0) ::kill(child.process, number);
    }

    // Waits until all have ended. Returns 0 if each ended with 0.
    int last_words() {
        int worst = 0;
        for (Child& child : children_) {
            int status = 0;
            if (child.process > 0 && ::waitpid(child.process, &status, 0) > 0 && status != 0)
                worst = 1;
        }
        return worst;
    }

  private:
    void start(Child& child) {
        pid_t const parent = ::getpid();
        child.started = Clock::now();
        int ends[2]; // the parent's, the child's
        if (::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends) < 0) {
            observe_(event::ProcessNotStarted{errno});
            return postpone(child);
        }
        ::fcntl(ends[0], F_SETOWN, parent);
        ::fcntl(ends[0], F_SETFL, O_NONBLOCK | O_ASYNC); // SIGIO says that there are notices
        child.process = ::fork();
        if (child.process < 0) {
            observe_(event::ProcessNotStarted{errno});
            ::close(ends[0]);
            ::close(ends[1]);
            return postpone(child);
        }
        if (child.process > 0) {
            ::close(ends[1]);
            child.notices = ends[0];
            return;
        }
        ::close(ends[0]);
        for (Child const& other : children_)
            if (other.notices >= 0) ::close(other.notices);
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent) std::_Exit(0); // it ended before prctl() was called
        tell_parent(ends[1]);
        auto const parents_alone = set_of({SIGCHLD});
        ::sigprocmask(SIG_UNBLOCK, &parents_alone, nullptr);
        std::exit(serve_());
    }

    void note(Child& child, std::string_view notice) const {
        constexpr std::string_view status = "STATUS=";
        if (notice.starts_with(status)) child.status = notice.substr(status.size());
        if (watchdog_time_ && (notice == "READY=1" || notice == "WATCHDOG=1"))
            child.hung = Clock::now() + *watchdog_time_;
    }

    void expect_another(Child& child, int status) {
        pid_t const process = std::exchange(child.process, -1);
        ::close(std::exchange(child.notices, -1));
        child.hung = Clock::time_point::max();
        child.status.clear();
        postpone(child);
        observe_(event::ProcessEnded{process, status, child.pause});
    }

    static void postpone(Child& child) {
        auto const now = Clock::now();
        child.pause = now - child.started >= long_enough
                          ? 0ms
                          : std::clamp(2 * child.pause, first_pause, longest_pause);
        child.due = now + child.pause;
    }

    std::function<int()> const& serve_;
    Observer const& observe_;
    std::vector<Child> children_;
    std::optional<std::chrono::microseconds> const watchdog_time_ = watchdog_time();
    Heartbeat heartbeat_;
    std::string told_; // the last STATUS
};

} // namespace

int keep_serving(std::size_t count, Listener& listener, std::function<int()> const& serve,
                 Observer const& observe) {
    auto const signals = set_of({SIGTERM, SIGINT, SIGHUP, SIGCHLD, SIGIO});
    ::sigprocmask(SIG_BLOCK, &signals, nullptr);
    Children children(count, serve, observe);
    children.start_due();
    tell_systemd("READY=1");
    for (;;) {
        switch (children.wait(signals)) {
        case SIGCHLD:
            children.bury();
            break;
        case SIGHUP:
            children.signal(SIGHUP);
            break;
        case SIGTERM:
        case SIGINT:
            tell_systemd("STOPPING=1");
            tell_systemd("STATUS=draining");
            listener.close();
            children.signal(SIGTERM);
            return children.last_words();
        }
        children.hear();
        children.watch();
        children.start_due();
    }
}

} // namespace fcgi
