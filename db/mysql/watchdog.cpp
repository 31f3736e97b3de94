#include "db/mysql/watchdog.hpp"

#include "parser/base/signals.hpp"

#include <algorithm>
#include <utility>

#include <fcntl.h>
#include <netinet/in.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace db {

namespace {

// The watchdog sleeps after this many intervals with nothing to watch, so that it is woken seldom,
// and seldom wakes for nothing.
constexpr int idle_intervals = 50;
// A descriptor that was just made has a low number: no need to look at a million.
constexpr rlim_t most_descriptors = 65'536;

// Returns the inode of a stream socket whose other end is a database: a client of ours has no name
// there, or another port.
std::optional<ino_t> inode_of_database(int descriptor, unsigned port) {
    struct stat status{};
    if (::fstat(descriptor, &status) != 0 || !S_ISSOCK(status.st_mode)) return std::nullopt;
    int type = 0;
    socklen_t type_size = sizeof type;
    ::getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &type_size);
    sockaddr_storage peer{};
    socklen_t size = sizeof peer;
    if (type != SOCK_STREAM ||
        ::getpeername(descriptor, reinterpret_cast<sockaddr*>(&peer), &size) != 0)
        return std::nullopt;
    unsigned its_port = 0;
    if (peer.ss_family == AF_INET)
        its_port = ntohs(reinterpret_cast<sockaddr_in const&>(peer).sin_port);
    else if (peer.ss_family == AF_INET6)
        its_port = ntohs(reinterpret_cast<sockaddr_in6 const&>(peer).sin6_port);
    else if (size <= sizeof peer.ss_family)
        return std::nullopt;
    return its_port == port ? std::optional(status.st_ino) : std::nullopt;
}

// All watchdogs of the process share these.
struct Others {
    std::mutex making;
    std::mutex mutex;
    std::vector<ino_t> inodes;
};

Others& others() {
    static Others instance;
    return instance;
}

} // namespace

Watchdog::Making::Making() : lock_(others().making) {
}

Watchdog::Other::Other(int descriptor) {
    struct stat status{};
    ::fstat(descriptor, &status);
    inode_ = status.st_ino;
    std::lock_guard const lock(others().mutex);
    others().inodes.push_back(inode_);
}

Watchdog::Other::~Other() {
    std::lock_guard const lock(others().mutex);
    auto& inodes = others().inodes;
    inodes.erase(std::ranges::find(inodes, inode_));
}

Watchdog::Watchdog() = default;

Watchdog::~Watchdog() {
    {
        std::lock_guard const lock(mutex_);
        stopped_ = true;
    }
    changed_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void Watchdog::run() {
    parser::block_all_signals();
    std::unique_lock lock(mutex_);
    for (int idle = 0; !stopped_;) {
        changed_.wait_for(lock, interval);
        cut_overdue(Clock::now());
        idle = has_tasks() ? 0 : idle + 1;
        if (idle < idle_intervals) continue;
        asleep_ = true;
        if (!has_tasks()) changed_.wait(lock, [this] { return stopped_ || !asleep_; });
        asleep_ = false;
        idle = 0;
    }
}

void Watchdog::wake() {
    {
        std::lock_guard const lock(mutex_);
        asleep_ = false;
    }
    changed_.notify_one();
}

bool Watchdog::has_tasks() const {
    return std::ranges::any_of(watches_,
                               [](Watch const* watch) { return watch->overdue_.load() != never; });
}

void Watchdog::cut_overdue(Time now) {
    for (Watch* watch : watches_)
        if (watch->overdue_.load() <= now && !watch->cut_) watch->shut();
}

void Watchdog::cut_silent(std::string const& address) {
    std::lock_guard const lock(mutex_);
    for (Watch* watch : watches_) {
        if (watch->address_ != address || watch->overdue_.load() == never) continue;
        watch->silent_ = true;
        watch->shut();
    }
}

bool Watchdog::is_known(ino_t inode) const {
    if (std::ranges::find(watches_, inode, &Watch::inode_) != watches_.end()) return true;
    std::lock_guard const lock(others().mutex);
    return std::ranges::count(others().inodes, inode) > 0;
}

// If no socket is found there is nothing to shut, and only the Connector's own timeouts remain. The
// standard streams are left out: in a service of systemd they lead to a socket of the journal,
// whose other end has a name, too.
void Watchdog::find_socket(Watch& watch) const {
    Making const none;
    rlimit limit{};
    ::getrlimit(RLIMIT_NOFILE, &limit);
    auto const end = static_cast<int>(std::min(limit.rlim_cur, most_descriptors));
    for (int descriptor = STDERR_FILENO + 1; descriptor < end && watch.socket_ < 0; ++descriptor) {
        auto const inode = inode_of_database(descriptor, *watch.opening_);
        if (!inode || is_known(*inode)) continue;
        watch.socket_ = ::fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        watch.inode_ = *inode;
    }
}

Watchdog::Watch::Watch(Watchdog* watchdog, std::string address)
    : watchdog_(watchdog), address_(std::move(address)) {
    if (!watchdog) return;
    std::lock_guard const lock(watchdog->mutex_);
    // The thread is not started before, since a process that serves may be forked from one that
    // made the watchdog.
    if (!watchdog->thread_.joinable())
        watchdog->thread_ = std::thread([watchdog] { watchdog->run(); });
    watchdog->watches_.push_back(this);
}

Watchdog::Watch::~Watch() {
    if (!watchdog_) return;
    std::lock_guard const lock(watchdog_->mutex_);
    std::erase(watchdog_->watches_, this);
    if (socket_ >= 0) ::close(socket_);
}

bool Watchdog::Watch::open(unsigned port, Time by) {
    if (!watchdog_) return true;
    turn_ = std::unique_lock(watchdog_->opening_, by);
    if (!turn_) return false;
    std::lock_guard const lock(watchdog_->mutex_);
    opening_ = port;
    return true;
}

void Watchdog::Watch::opened() {
    if (!watchdog_) return;
    {
        std::lock_guard const lock(watchdog_->mutex_);
        watchdog_->find_socket(*this);
        opening_.reset();
    }
    turn_.unlock();
}

void Watchdog::Watch::cut() {
    if (!watchdog_) return;
    std::lock_guard const lock(watchdog_->mutex_);
    shut();
}

void Watchdog::Watch::shut() {
    if (opening_ && socket_ < 0) watchdog_->find_socket(*this);
    if (socket_ < 0) return;
    cut_ = true;
    ::shutdown(socket_, SHUT_RDWR);
}

Watchdog::Watch::Task::Task(Watch& watch, Time by)
    : watch_(watch), before_(watch.overdue_.load(std::memory_order_relaxed)) {
    watch.overdue_ = std::min(by, before_);
    if (watch.watchdog_ && watch.watchdog_->asleep_) watch.watchdog_->wake();
}

Watchdog::Watch::Task::~Task() {
    watch_.overdue_.store(before_, std::memory_order_relaxed);
}

} // namespace db
