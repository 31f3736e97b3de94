// Writes and reads while others break things, and says whether what was answered may be true.
//
//   observer URL ALLOWANCE_MS OWNER…
//
// Each writer sets the name of an entry of /api/categories to a number that only grows, through any
// of the owners (mysql:// of servers that take writes), and notes when it was acknowledged. Readers
// get that entry from URL (http://address:port). A response is
//   wrong   if it has a number that was not written
//   older   if it has less than was acknowledged ALLOWANCE_MS before the request for it was sent
// Standard input has a line for each event, its name, and a line `.` at its end; standard output
// then has a line of what was answered meanwhile. Ends with the line `end`: 0 if nothing was wrong
// or older, and no 502 or 503 came `most` seconds after the first of an event, which the line may
// have after the name.

#include "db/mysql/connection.hpp"
#include "db/mysql/watchdog.hpp"

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/url/parse.hpp>

#include <array>
#include <atomic>
#include <charconv>
#include <iomanip>
#include <iostream>
#include <mutex>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <sys/socket.h>

namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using Number = std::uint64_t;

constexpr int entries = 4; // 1 to 4, a writer each
constexpr int readers = 4;
constexpr auto write_pause = 5ms;

struct Acknowledged {
    Clock::time_point at;
    Number number;
};

// Holds what was written of one entry.
class Written {
  public:
    void attempt(Number number) { attempted_ = number; }
    void acknowledge(Number number) {
        std::lock_guard const lock(mutex_);
        acknowledged_.push_back({Clock::now(), number});
    }
    Number most() const { return attempted_; }
    Number least(Clock::time_point at) const {
        std::lock_guard const lock(mutex_);
        auto const later = std::ranges::upper_bound(acknowledged_, at, {}, &Acknowledged::at);
        return later == acknowledged_.begin() ? 0 : std::prev(later)->number;
    }
    std::size_t count() const {
        std::lock_guard const lock(mutex_);
        return acknowledged_.size();
    }

  private:
    std::atomic<Number> attempted_ = 0;
    mutable std::mutex mutex_;
    std::vector<Acknowledged> acknowledged_;
};

struct Event {
    std::string name = "before";
    double most = 0;                     // seconds of refusals that are promised; 0: nothing is
    std::array<std::size_t, 3> counts{}; // 200, refusals, others
    std::size_t wrong = 0, older = 0;
    Clock::duration oldest{};
    Clock::duration slowest{};
    std::optional<Clock::time_point> first_refusal;
    Clock::time_point last_refusal;
    std::string other; // the first of them
};

struct Observer {
    std::string address, port;
    Clock::duration allowance;
    std::vector<db::DatabaseUrl> owners;
    std::array<Written, entries> written;
    std::atomic<bool> stopped = false;
    db::Watchdog watchdog;
    std::mutex mutex;
    Event event;
    std::size_t wrong = 0, older = 0, late = 0;
};

void write(Observer& observer, int entry) {
    Written& written = observer.written[static_cast<std::size_t>(entry)];
    std::minstd_rand random(static_cast<unsigned>(entry) + 1);
    std::unique_ptr<db::Connection> connection;
    db::SessionOptions const options{.statement_timeout = 2s,
                                     .connect_timeout = 1s,
                                     .read_only = false,
                                     .watchdog = &observer.watchdog};
    for (Number number = 1; !observer.stopped; number += number > 1 || written.count() > 0) {
        if (!connection) {
            auto const& owner = observer.owners[random() % observer.owners.size()];
            auto opened = db::Connection::open(owner, options, Clock::now() + 2s);
            if (opened) connection = std::move(*opened);
        }
        written.attempt(number);
        db::SqlText sql("UPDATE categories SET name = ");
        sql.integer(number) << " WHERE id = ";
        sql.integer(std::uint64_t{static_cast<unsigned>(entry) + 1});
        // A server that stood still, or tries again by itself, does so after others were
        // acknowledged.
        if (number > 1) (sql << " AND name + 0 < ").integer(number);
        if (connection && connection->command(sql, Clock::now() + 10s))
            written.acknowledge(number);
        else
            connection.reset();
        // Now and then through another one.
        if (random() % 64 == 0) connection.reset();
        std::this_thread::sleep_for(write_pause);
    }
}

struct Response {
    int status = 0; // 0: there was none
    std::string body;
};

Response get(Observer const& observer, std::string const& path) try {
    namespace asio = boost::asio;
    asio::io_context context;
    asio::ip::tcp::socket socket(context);
    asio::connect(socket,
                  asio::ip::tcp::resolver(context).resolve(observer.address, observer.port));
    timeval const longest{.tv_sec = 20, .tv_usec = 0};
    ::setsockopt(socket.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
    asio::write(socket, asio::buffer("GET " + path + " HTTP/1.0\r\nHost: cluster\r\n\r\n"));
    std::string text;
    std::array<char, 4'096> part;
    for (;;) {
        auto const got = ::recv(socket.native_handle(), part.data(), part.size(), 0);
        if (got <= 0) break;
        text.append(part.data(), static_cast<std::size_t>(got));
    }
    Response response;
    auto const space = text.find(' ');
    if (space != text.npos)
        std::from_chars(&text[space + 1], &text[space + 1] + 3, response.status);
    auto const blank = text.find("\r\n\r\n");
    if (blank != text.npos) response.body = text.substr(blank + 4);
    return response;
} catch (std::exception const&) {
    return {};
}

std::optional<Number> number_in(std::string const& body) {
    constexpr std::string_view before = "\"name\":\"";
    auto const at = body.find(before);
    if (at == body.npos) return std::nullopt;
    Number number = 0;
    auto const* const begin = body.data() + at + before.size();
    auto const [end, error] = std::from_chars(begin, body.data() + body.size(), number);
    return error == std::errc() && *end == '"' ? std::optional(number) : std::nullopt;
}

bool is_refusal(int status) {
    return status == 502 || status == 503;
}

void note(Observer& observer, int entry, Clock::time_point sent, Response const& response) {
    Written const& written = observer.written[static_cast<std::size_t>(entry)];
    auto const now = Clock::now();
    auto const number = response.status == 200 ? number_in(response.body) : std::nullopt;
    bool const is_wrong = response.status == 200 && (!number || *number > written.most());
    bool const is_older = number && *number < written.least(sent - observer.allowance);
    std::lock_guard const lock(observer.mutex);
    Event& event = observer.event;
    ++event.counts[response.status == 200 ? 0 : is_refusal(response.status) ? 1 : 2];
    event.wrong += is_wrong;
    event.older += is_older;
    observer.wrong += is_wrong;
    observer.older += is_older;
    event.slowest = std::max(event.slowest, now - sent);
    if (is_refusal(response.status)) {
        if (!event.first_refusal) event.first_refusal = now;
        event.last_refusal = now;
    }
    if (event.other.empty() &&
        (is_wrong || (response.status != 200 && !is_refusal(response.status))))
        event.other = std::to_string(response.status) + ' ' + response.body.substr(0, 120);
}

void read(Observer& observer, int reader) {
    std::minstd_rand random(static_cast<unsigned>(reader) + 1);
    while (!observer.stopped) {
        auto const entry = static_cast<int>(random() % entries);
        auto const sent = Clock::now();
        auto const path = "/api/categories/" + std::to_string(entry + 1) + "?fields=name";
        note(observer, entry, sent, get(observer, path));
        std::this_thread::sleep_for(2ms);
    }
}

double in_seconds(Clock::duration time) {
    return std::chrono::duration<double>(time).count();
}

void print(Observer& observer) {
    std::lock_guard const lock(observer.mutex);
    Event const& event = observer.event;
    double const span =
        event.first_refusal ? in_seconds(event.last_refusal - *event.first_refusal) : 0;
    bool const is_late = event.most > 0 && span > event.most;
    observer.late += is_late;
    std::cout << std::left << std::setw(30) << event.name << std::right << std::setw(7)
              << event.counts[0] << std::setw(7) << event.counts[1] << std::setw(7)
              << event.counts[2] << std::fixed << std::setprecision(1) << std::setw(8) << span
              << std::setw(8) << in_seconds(event.slowest) << std::setw(7) << event.wrong
              << std::setw(7) << event.older << (is_late ? "  LATE " : "  ") << event.other
              << std::endl;
}

void take_events(Observer& observer) {
    std::cout << std::left << std::setw(30) << "event" << std::right << std::setw(7) << "200"
              << std::setw(7) << "50x" << std::setw(7) << "other" << std::setw(8) << "50x s"
              << std::setw(8) << "slowest" << std::setw(7) << "wrong" << std::setw(7) << "older"
              << std::endl;
    for (std::string line; std::getline(std::cin, line) && line != "end";) {
        if (line == ".") {
            print(observer);
            line = "between";
        }
        Event event;
        auto const tab = line.find('\t');
        event.name = line.substr(0, tab);
        if (tab != line.npos) event.most = std::stod(line.substr(tab + 1));
        std::lock_guard const lock(observer.mutex);
        observer.event = event;
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc < 4) return 64;
    Observer observer;
    std::string const url = argv[1];
    auto const parsed = boost::urls::parse_uri(url).value();
    observer.address = parsed.host_address();
    observer.port = parsed.port();
    observer.allowance = std::chrono::milliseconds(std::stoi(argv[2]));
    for (int i = 3; i < argc; ++i)
        observer.owners.push_back(db::parse_database_url(argv[i]).value().first());
    std::vector<std::thread> threads;
    for (int i = 0; i < entries; ++i)
        threads.emplace_back([&observer, i] { write(observer, i); });
    for (auto const& written : observer.written)
        while (written.count() == 0)
            std::this_thread::sleep_for(10ms);
    // Nothing of before is there any more, on any server that follows.
    std::this_thread::sleep_for(std::min<Clock::duration>(observer.allowance, 2s) + 1s);
    for (int i = 0; i < readers; ++i)
        threads.emplace_back([&observer, i] { read(observer, i); });
    take_events(observer);
    observer.stopped = true;
    for (auto& thread : threads)
        thread.join();
    std::size_t writes = 0;
    for (auto const& written : observer.written)
        writes += written.count();
    std::cout << writes << " writes, " << observer.wrong << " wrong, " << observer.older
              << " older, " << observer.late << " late\n";
    return observer.wrong + observer.older + observer.late == 0 ? 0 : 1;
}
