#include "tests/cache/hammer/client.hpp"
#include "tests/cache/hammer/session.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

// latency TIMES: how long after a COMMIT is sent its row is purged from the edge, and how long
// after it the new one is had from there, by who asks all the time. Run by
// `tests/with log content` and with-edge beside a program.

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::duration<double, std::milli>;

namespace {

std::string const uri = "/api/alphas/1?fields=v";

struct Times {
    std::vector<double> purged, fresh;
};

bool has(fastcgi::Response const& response, std::uint64_t number) {
    return response.body.find("\"v\":" + std::to_string(number) + '}') != std::string::npos;
}

// Throws std::runtime_error if the row stays as it was.
void change(hammer::Session& session, hammer::Client& edge, std::uint64_t number, Times& times) {
    auto const patience = std::chrono::seconds(30);
    auto start = Clock::now();
    while (edge.get(uri, {}).header("X-Cache-Status") != "HIT")
        if (Clock::now() - start > patience) throw std::runtime_error("it is not kept");
    db::SqlText sql(db::SqlPiece("UPDATE alphas SET v = "));
    sql.integer(number) << db::SqlPiece(" WHERE id = 1");
    start = Clock::now();
    if (!session.run(sql)) throw std::runtime_error("the row is not changed");
    while (true) {
        auto const asked = Clock::now();
        if (has(edge.get(uri, {}), number)) {
            times.purged.push_back(Milliseconds(asked - start).count());
            times.fresh.push_back(Milliseconds(Clock::now() - start).count());
            return;
        }
        if (asked - start > patience) throw std::runtime_error("it is not purged");
    }
}

void print(char const* what, std::vector<double> times) {
    std::ranges::sort(times);
    auto const at = [&](double share) {
        return times[static_cast<std::size_t>(share * static_cast<double>(times.size() - 1))];
    };
    std::printf("%s: median %.1f ms, p95 %.1f, p99 %.1f, max %.1f (%zu)\n", what, at(.5), at(.95),
                at(.99), at(1), times.size());
}

} // namespace

int main(int count, char** words) try {
    ::curl_global_init(CURL_GLOBAL_DEFAULT);
    if (count != 2) return 64;
    hammer::Session session(
        db::parse_database_url(std::getenv("POPULATE_TEST_OWNER")).value().first());
    hammer::Client edge(std::getenv("EDGE_URL"));
    Times times;
    for (std::uint64_t number = 1; number <= std::strtoull(words[1], nullptr, 10); ++number)
        change(session, edge, 1000 + number, times);
    print("COMMIT to purged", times.purged);
    print("COMMIT to the new response", times.fresh);
    return 0;
} catch (std::exception const& error) {
    std::cerr << "latency: " << error.what() << '\n';
    return 1;
}
