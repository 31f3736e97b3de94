#include "db/mysql/pool.hpp"

#include "parser/base/signals.hpp"

#include <algorithm>
#include <exception>
#include <map>
#include <memory>
#include <set>
#include <utility>

// This part of the pool asks hosts whether the statements of cut connections still run. Any account
// may ask that. It uses a connection beside those of the pool, for as long as there are such
// statements.

namespace db {

namespace {

using Numbers = std::vector<std::uint64_t>;

// The interval at which a host is asked.
constexpr std::chrono::milliseconds interval{100};

// Returns the numbers of connections with a statement in flight.
parser::Result<Numbers> busy_at(Connection& connection, Pool::Time by) {
    constexpr unsigned number = 0, command = 4;
    auto rows = connection.query(SqlPiece("SHOW PROCESSLIST"), {.at = by});
    if (!rows) return rows.error();
    Numbers numbers;
    while (rows->next())
        if (rows->text(command) != "Sleep") numbers.push_back(rows->id(number));
    return numbers;
}

parser::Result<Numbers> ask(std::unique_ptr<Connection>& connection, DatabaseUrl const& url,
                            SessionOptions const& session, Pool::Time by) {
    if (!connection || connection->is_broken()) {
        connection.reset();
        auto opened = Connection::open(url, session, by);
        if (!opened) return opened.error();
        connection = *std::move(opened);
    }
    return busy_at(*connection, by);
}

} // namespace

// Counts nothing if there is no memory for another leftover, or no thread, since nobody would ask
// for it.
void Pool::add_leftover(HostPointer const& host, std::uint64_t connection) try {
    std::lock_guard const lock(mutex_);
    if (leftovers_.size() == leftovers_.capacity()) return;
    if (!polling_.joinable()) polling_ = std::thread([this] { ask_for_leftovers(); });
    leftovers_.push_back({host, connection, Clock::now()});
    report();
    left_.notify_one();
} catch (std::exception const&) {
}

// A host that does not answer for as long as a statement may take is away, and its statements with
// it; or it hangs, and whatever waits for a place finds that out. So the place becomes free.
void Pool::ask_for_leftovers() {
    parser::block_all_signals();
    std::map<HostPointer, std::unique_ptr<Connection>> connections;
    std::unique_lock lock(mutex_);
    while (!ends_) {
        if (leftovers_.empty()) {
            lock.unlock();
            connections.clear();
            lock.lock();
            left_.wait(lock, [this] { return ends_ || !leftovers_.empty(); });
            continue;
        }
        auto const asked = Clock::now();
        std::map<HostPointer, Numbers> busy; // of the hosts that answered
        try {
            std::set<HostPointer> hosts;
            for (auto const& leftover : leftovers_)
                hosts.insert(leftover.host);
            lock.unlock();
            for (auto const& host : hosts) {
                auto const by = Clock::now() + hosts_.rules().connect_timeout;
                if (auto numbers = ask(connections[host], host->url(), session_, by))
                    busy.emplace(host, *std::move(numbers));
            }
        } catch (std::exception const&) { // no memory
        }
        if (!lock) lock.lock();
        std::erase_if(leftovers_, [&](Leftover& leftover) {
            if (leftover.known >= asked) return false;
            auto const said = busy.find(leftover.host);
            if (said == busy.end()) return asked - leftover.known >= session_.statement_timeout;
            if (std::ranges::count(said->second, leftover.connection) == 0) return true;
            leftover.known = asked;
            return false;
        });
        admit({});
        left_.wait_for(lock, interval, [this] { return ends_; });
    }
}

// The leftovers of a silent host must not keep places that the other hosts could use.
void Pool::drop_leftovers(Host const& host) {
    std::lock_guard const lock(mutex_);
    std::erase_if(leftovers_,
                  [&](Leftover const& leftover) { return leftover.host.get() == &host; });
    admit({});
}

void Pool::close(PoolSlot& slot) {
    auto const number = slot.connection ? slot.connection->left_running() : std::nullopt;
    if (number) add_leftover(slot.host, *number);
    slot.connection.reset();
}

Pool::~Pool() {
    {
        std::lock_guard const lock(mutex_);
        ends_ = true;
    }
    left_.notify_one();
    for (auto const& host : hosts_.all()) // polling_ may be waiting for it
        watchdog_.cut_silent(host->url().address());
    if (polling_.joinable()) polling_.join();
}

} // namespace db
