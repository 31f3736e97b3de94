#include "tests/unit/parser/base/colliding.hpp"
#include "fcgi/cache/response_cache.hpp"
#include "parser/query_tree.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <random>

// Measures keys that were made to collide in a standard hash table, beside as many that were not:
// nanoseconds of a hit and of a miss in a cache of 60,000 responses, and of reading a query of
// 1,000 names; and how many times those of the others that is.

namespace {

using Texts = std::vector<std::string>;

constexpr std::size_t kept = 60'000;
constexpr std::size_t names = 1'000;
constexpr int rounds = 9;

// As long, and of the same bytes but for the first eight, so that no two collide.
Texts scattered(Texts texts) {
    std::mt19937_64 random;
    for (auto& text : texts)
        for (std::size_t i = 0; i < sizeof(std::uint64_t); ++i)
            text[i] = colliding::characters[random() % colliding::characters.size()];
    return texts;
}

double nanoseconds_each(std::size_t number, auto const& work) {
    auto const begun = std::chrono::steady_clock::now();
    work();
    std::chrono::duration<double, std::nano> const time = std::chrono::steady_clock::now() - begun;
    return time.count() / static_cast<double>(number);
}

// The first are kept, the others are not there.
struct Cache {
    fcgi::ResponseCache responses{std::size_t{1} << 30};
    Texts hits, misses;
    std::size_t found = 0;

    explicit Cache(Texts texts) : hits(std::move(texts)) {
        misses.assign(hits.begin() + kept, hits.end());
        hits.resize(kept);
        for (auto const& text : hits)
            responses.store(text, {}, "{}");
    }
    double find(Texts const& texts) {
        return nanoseconds_each(texts.size(), [&] {
            for (auto const& text : texts)
                found += responses.find(text) != nullptr;
        });
    }
};

std::string query_of(Texts const& texts) {
    std::string query;
    for (std::size_t i = 0; i < names; ++i)
        query += texts[i] + "=1&";
    return query;
}

double read(std::string const& query) {
    return nanoseconds_each(names, [&] { (void)parser::parse_query_string(query); });
}

// Each in turn, and the best of each, so that what else the machine does says little.
void print(char const* what, auto const& control, auto const& attacked) {
    double best = control(), beside = attacked();
    for (int round = 1; round < rounds; ++round) {
        best = std::min(best, control());
        beside = std::min(beside, attacked());
    }
    std::printf("%-6s %8.0f ns %8.0f ns %6.2f times\n", what, best, beside, beside / best);
}

} // namespace

int main() {
    auto const texts = colliding::texts_of_one_hash(16);
    Cache control(scattered(texts)), attacked(texts);
    std::printf("%6s %11s %11s\n", "", "others", "colliding");
    print(
        "hit", [&] { return control.find(control.hits); },
        [&] { return attacked.find(attacked.hits); });
    print(
        "miss", [&] { return control.find(control.misses); },
        [&] { return attacked.find(attacked.misses); });
    if (control.found != rounds * kept || attacked.found != control.found) return 1;

    auto const short_texts = colliding::texts_of_one_hash(10);
    auto const plain = query_of(scattered(short_texts)), hostile = query_of(short_texts);
    print("name", [&] { return read(plain); }, [&] { return read(hostile); });
}
