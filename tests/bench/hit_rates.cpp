#include "db/mysql/connection.hpp"
#include "tests/cache/metrics.hpp"
#include "tests/fastcgi/client.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <random>
#include <string>
#include <thread>
#include <vector>

// How many of the requests for the example, by how popular URLs are (Zipf), are answered by what is
// kept, while entries of its types are written, by how popular types are.
//
//     hit_rates SOCKET METRICS OWNER-URL URLS REQUESTS-A-SECOND WRITES-A-SECOND SECONDS VIEWS
//
// With VIEWS 1 each request for one article is also a write: it counts a view. Prints the share.

namespace {

using Clock = std::chrono::steady_clock;

struct Type {
    char const* path;
    char const* table;
};
constexpr Type types[] = {
    {"articles", "articles"},   {"products", "products"},     {"tags", "tags"},
    {"authors", "authors"},     {"categories", "categories"}, {"pages", "pages"},
    {"events", "events"},       {"comments", "comments"},     {"nodes", "nodes"},
    {"reactions", "reactions"}, {"profiles", "profiles"},     {"scalars", "ks_scalars"}};
constexpr std::size_t list_percent = 60;
constexpr unsigned clients = 8;

class Zipf {
  public:
    explicit Zipf(std::size_t size) {
        for (std::size_t i = 1; i <= size; ++i)
            sums_.push_back((sums_.empty() ? 0 : sums_.back()) + 1 / static_cast<double>(i));
    }
    std::size_t operator()(std::mt19937_64& random) const {
        std::uniform_real_distribution<double> any(0, sums_.back());
        return static_cast<std::size_t>(std::ranges::upper_bound(sums_, any(random)) -
                                        sums_.begin()) %
               sums_.size();
    }

  private:
    std::vector<double> sums_;
};

// The same in each run: of any type, entries with their relations and lists of 25.
std::vector<std::string> make_urls(std::size_t count) {
    std::mt19937_64 random(7);
    std::vector<std::string> urls;
    for (std::size_t i = 0; i < count; ++i) {
        auto const path = std::string("/api/") + types[random() % std::size(types)].path;
        auto const number = std::to_string(i);
        urls.push_back(random() % 100 < list_percent
                           ? path + "?pagination[pageSize]=25&populate=*&filters[id][$gt]=" +
                                 std::to_string(random() % 40) + "&n=" + number
                           : path + '/' + std::to_string(1 + random() % 9) +
                                 "?populate=*&n=" + number);
    }
    return urls;
}

class Owner {
  public:
    explicit Owner(std::string const& url)
        : connection_(std::move(*db::Connection::open(db::parse_database_url(url).value().first(),
                                                      db::owner_session))) {}
    void write(char const* table, std::uint64_t id) {
        db::SqlText sql(db::SqlPiece("UPDATE "));
        sql.name(table) << db::SqlPiece(" SET updated_at = NOW(6) WHERE id = ");
        run(sql.integer(id));
    }
    void count_view(std::uint64_t id) {
        db::SqlText sql(db::SqlPiece(
            "UPDATE articles SET view_count = COALESCE(view_count, 0) + 1 WHERE id = "));
        run(sql.integer(id));
    }

  private:
    void run(db::SqlText const& sql) {
        if (auto const done = connection_->command(sql); !done)
            std::cerr << done.error().cause << '\n';
    }
    std::unique_ptr<db::Connection> connection_;
};

std::chrono::nanoseconds every(double a_second) {
    return std::chrono::nanoseconds(std::llround(1e9 / a_second));
}

struct Plan {
    std::string socket, owner;
    std::vector<std::string> urls;
    double requests, writes;
    bool counts_views;
};

void read(std::stop_token const& stopped, Plan const& plan, unsigned number) {
    std::mt19937_64 random(number);
    Zipf const popular(plan.urls.size());
    auto client = fastcgi::Client::connect("unix:" + plan.socket);
    Owner owner(plan.owner);
    std::string const article = "/api/articles/";
    for (auto next = Clock::now(); !stopped.stop_requested();) {
        auto const& url = plan.urls[popular(random)];
        client.ask(fastcgi::get(url));
        if (plan.counts_views && url.starts_with(article))
            owner.count_view(std::strtoull(url.c_str() + article.size(), nullptr, 10));
        next += every(plan.requests / clients);
        std::this_thread::sleep_until(next);
    }
}

void write(std::stop_token const& stopped, Plan const& plan) {
    std::mt19937_64 random(99);
    Zipf const popular(std::size(types));
    Owner owner(plan.owner);
    for (auto next = Clock::now() + every(plan.writes) / 2; !stopped.stop_requested();) {
        if (Clock::now() >= next) {
            owner.write(types[popular(random)].table, 1 + random() % 20);
            next += every(plan.writes);
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

} // namespace

int main(int argc, char** argv) {
    if (argc != 9) {
        std::cerr << "hit_rates SOCKET METRICS OWNER-URL URLS REQUESTS WRITES SECONDS VIEWS\n";
        return 64;
    }
    Plan const plan{argv[1],
                    argv[3],
                    make_urls(std::stoul(argv[4])),
                    std::stod(argv[5]),
                    std::stod(argv[6]),
                    std::string_view(argv[8]) == "1"};
    std::vector<std::jthread> threads;
    for (unsigned i = 0; i < clients; ++i)
        threads.emplace_back([&, i](std::stop_token stopped) { read(stopped, plan, i); });
    threads.emplace_back([&](std::stop_token stopped) { write(stopped, plan); });
    std::chrono::duration<double> const half(std::stod(argv[7]) / 2);
    std::this_thread::sleep_for(half); // warm
    auto const before = cache_test::read_metrics(argv[2]);
    std::this_thread::sleep_for(half);
    auto const after = cache_test::read_metrics(argv[2]);
    threads.clear();
    double all = 0;
    for (auto const* use : {"hit", "miss", "table", "all_tables", "epoch", "bypass"})
        all += cache_test::uses(after, use) - cache_test::uses(before, use);
    double const hits = cache_test::uses(after, "hit") - cache_test::uses(before, "hit");
    std::printf("%.3f\n", hits / std::max(all, 1.0));
}
