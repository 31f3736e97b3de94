#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The content of `tests/with content`: types in a ring, entries 1 to `entries` of each,
// with a number `v`, and `next`, an entry of the next type. Each `v` and each `next` is a cell, and
// so is how many entries of a type have a `v` above a threshold.

namespace hammer {

inline constexpr std::array<std::string_view, 6> types{"alpha", "beta",    "gamma",
                                                       "delta", "epsilon", "zeta"};
inline constexpr std::size_t entries = 40;
inline constexpr std::size_t values = types.size() * entries;
inline constexpr std::array<std::uint64_t, 3> thresholds{0, 2, 8};
inline constexpr std::size_t cells = 2 * values + types.size() * thresholds.size();

// The cell of `v`; that of `next` is `values` more. `id` from 1.
constexpr std::size_t cell(std::size_t type, std::size_t id) {
    return type % types.size() * entries + id - 1;
}
constexpr std::size_t total_cell(std::size_t type, std::size_t threshold) {
    return 2 * values + type * thresholds.size() + threshold;
}
inline bool is_link(std::size_t cell) {
    return cell >= values && cell < 2 * values;
}

// The n-th link of an entry leads to this one.
constexpr std::uint64_t linked(std::uint64_t n) {
    return n % entries + 1;
}

struct Request {
    std::string uri;
    std::size_t type;
    bool with_next;                        // names entries of the next type too
    std::size_t first, last;               // ids
    std::optional<std::size_t> total = {}; // cell of the total of a list that has some of them
};

// Lists and entries, with `next` and without.
std::vector<Request> all_requests();

// A response says this of a cell: the number of a `v`, the id that a `next` leads to, a total.
struct Finding {
    std::size_t cell;
    std::uint64_t number;
};

// Nothing where the body is no response to the request: an entry too few, a number that is none.
std::optional<std::vector<Finding>> findings(Request const& request, std::string_view body);

} // namespace hammer
