#pragma once

#include "parser/base/error.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

// Every limit on the work that one request may cause, and until when it may run. A limit is a
// member with its default, and a row that makes it an option, a metric and the text of an error.

namespace parser {

struct Limits {
    std::size_t query_string = 16 * 1024; // undecoded
    std::size_t parameters = 64 * 1024;   // headers and URL of a request
    std::size_t plan_nodes = 500;         // table reads that populate may ask for
    std::size_t rows = 100'000;           // rows read for one response
    std::size_t response = 32 * 1024 * 1024;
    std::size_t filter_terms = 200; // conditions in all filters together
    std::size_t filter_hops = 40;   // relations in one path of a filter or sort
    std::size_t sort_hops = 12;     // relations in one path of a sort
    std::size_t list_values = 500;  // values of one $in, $notIn, …

    std::chrono::milliseconds read{5'000};      // from the first byte to the whole request
    std::chrono::milliseconds request{10'000};  // from the whole request to the response
    std::chrono::milliseconds statement{5'000}; // one SQL statement
    std::chrono::milliseconds acquire{2'000};   // waiting for a worker and a database connection
    std::chrono::milliseconds write{60'000};    // a client that takes nothing of its response
    std::chrono::milliseconds drain{10'000};    // finishing requests after SIGTERM
};

enum class LimitUnit : std::uint8_t { bytes, count };

struct AmountLimit {
    std::string_view option;
    std::size_t Limits::* member;
    LimitUnit unit;
    std::string_view description;
    // The range that may be set; any number if both are 0.
    std::size_t least = 0;
    std::size_t most = 0;
};
inline constexpr AmountLimit amount_limits[] = {
    {"query-string-limit", &Limits::query_string, LimitUnit::bytes, "size of the query string"},
    {"parameters-limit", &Limits::parameters, LimitUnit::bytes,
     "size of everything that the web server sends about a request"},
    // Deeper plans could not be read back from a path (parser/populate_reader.cpp).
    {"plan-nodes-limit", &Limits::plan_nodes, LimitUnit::count, "tables read for one response", 1,
     1'000},
    {"rows-limit", &Limits::rows, LimitUnit::count, "rows read for one response"},
    {"response-limit", &Limits::response, LimitUnit::bytes, "size of one response"},
    {"filter-terms-limit", &Limits::filter_terms, LimitUnit::count, "conditions in all filters"},
    {"filter-hops-limit", &Limits::filter_hops, LimitUnit::count,
     "relations in one path of a condition"},
    // Each hop is a subquery in that of the hop before. From about twenty on, each more takes
    // MariaDB 10.11 twice as long, and it heeds neither its own time limit nor KILL meanwhile.
    {"sort-hops-limit", &Limits::sort_hops, LimitUnit::count, "relations in one path of a sort", 1,
     12},
    {"list-values-limit", &Limits::list_values, LimitUnit::count,
     "values in one list of a condition"},
};

struct TimeLimit {
    std::string_view option;
    std::chrono::milliseconds Limits::* member;
    std::string_view description;
    bool refuses = true; // the request gets a response that names it
};
inline constexpr TimeLimit time_limits[] = {
    {"read-timeout", &Limits::read, "time from the first byte of a request to its last", false},
    {"request-timeout", &Limits::request, "time from the last byte of a request to its response"},
    {"statement-timeout", &Limits::statement, "time for one SQL statement"},
    {"acquire-timeout", &Limits::acquire,
     "time that a request waits for a worker and a database connection"},
    {"write-timeout", &Limits::write,
     "time after which a client that reads nothing of its response is disconnected", false},
    {"drain-timeout", &Limits::drain, "time to finish requests after SIGTERM", false},
};

// Every member has a row.
static_assert(sizeof(Limits) == sizeof(std::size_t) * std::size(amount_limits) +
                                    sizeof(std::chrono::milliseconds) * std::size(time_limits));

constexpr AmountLimit const& row_of(std::size_t Limits::* member) {
    return *std::ranges::find(amount_limits, member, &AmountLimit::member);
}
constexpr TimeLimit const& row_of(std::chrono::milliseconds Limits::* member) {
    return *std::ranges::find(time_limits, member, &TimeLimit::member);
}

// These errors name the option and its value.
inline Error over_limit(std::size_t Limits::* member, std::size_t value) {
    auto const& row = row_of(member);
    return over_limit(row.option,
                      std::to_string(value) + (row.unit == LimitUnit::bytes ? " bytes" : ""));
}
inline Error over_limit(Limits const& limits, std::size_t Limits::* member) {
    return over_limit(member, limits.*member);
}
inline Error unavailable(std::chrono::milliseconds Limits::* member,
                         std::chrono::milliseconds value, std::string cause) {
    return unavailable(row_of(member).option, value, std::move(cause));
}
inline Error timed_out(std::chrono::milliseconds Limits::* member, std::chrono::milliseconds value,
                       std::string cause) {
    return timed_out(row_of(member).option, value, std::move(cause));
}
inline Error too_expensive(Limits const& limits, std::chrono::milliseconds Limits::* member,
                           std::string cause) {
    return too_expensive(row_of(member).option, limits.*member, std::move(cause));
}
inline Error timed_out(Limits const& limits, std::chrono::milliseconds Limits::* member,
                       std::string cause) {
    return timed_out(member, limits.*member, std::move(cause));
}

// How long a request is worth working on: until a moment, and as long as somebody waits for its
// response. Copies watch the same flag, which outlives them.
struct Deadline {
    using Clock = std::chrono::steady_clock;

    Clock::time_point at = Clock::time_point::max();
    std::atomic<bool> const* abandoned = nullptr; // set by another thread; null: never

    bool is_abandoned() const { return abandoned && abandoned->load(std::memory_order_relaxed); }
    bool has_passed() const { return Clock::now() >= at; }
    // The result is never negative.
    std::chrono::milliseconds left() const {
        using std::chrono::milliseconds;
        return std::max(std::chrono::duration_cast<milliseconds>(at - Clock::now()),
                        milliseconds(0));
    }
};

} // namespace parser
