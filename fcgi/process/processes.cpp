#include "fcgi/process/processes.hpp"

#include "fcgi/process/systemd.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <utility>
#include <vector>

#include <sys/prctl.h>
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

    // A signal of `signals`, or 0 when the next start is due.
    int wait(sigset_t const& signals) const {
        auto next = Clock::time_point::max();
        for (Child const& child : children_)
            if (child.process < 0) next = std::min(next, child.due);
        if (next == Clock::time_point::max()) return std::max(0, ::sigwaitinfo(&signals, nullptr));
        auto const left = std::max(next - Clock::now(), Clock::duration::zero());
        auto const seconds = std::chrono::floor<std::chrono::seconds>(left);
        timespec const time{seconds.count(), std::chrono::nanoseconds(left - seconds).count()};
        return std::max(0, ::sigtimedwait(&signals, nullptr, &time));
    }

    // Takes note of those that ended.
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

    // Waits until all have ended; 0 if each did so with 0.
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
        child.process = ::fork();
        if (child.process < 0) {
            observe_(event::ProcessNotStarted{errno});
            return postpone(child);
        }
        if (child.process > 0) return;
        ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (::getppid() != parent) std::_Exit(0); // it ended before we could say so
        ::unsetenv("NOTIFY_SOCKET");              // the parent is the service
        auto const parents_alone = set_of({SIGCHLD});
        ::sigprocmask(SIG_UNBLOCK, &parents_alone, nullptr);
        std::exit(serve_());
    }

    void expect_another(Child& child, int status) {
        pid_t const process = std::exchange(child.process, -1);
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
};

} // namespace

int keep_serving(std::size_t count, Listener& listener, std::function<int()> const& serve,
                 Observer const& observe) {
    auto const signals = set_of({SIGTERM, SIGINT, SIGHUP, SIGCHLD});
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
            listener.close();
            children.signal(SIGTERM);
            return children.last_words();
        }
        children.start_due();
    }
}

} // namespace fcgi
