#pragma once

#include <chrono>
#include <cstddef>

// Every bound on the work that one request may cause. Each member is an option: sizes are
// named with `-limit` (`plan_nodes` is plan-nodes-limit), times with `-timeout`. Going over one is
// a 400 that names it, or 503/504 where it is a time.

namespace parser {

struct Limits {
    std::size_t query_string = 16 * 1024; // bytes, undecoded
    std::size_t parameters = 64 * 1024;   // bytes of FastCGI parameters (headers, URL) of a request
    std::size_t plan_nodes = 500;         // table reads that populate may ask for
    std::size_t rows = 100'000;           // rows read for one answer
    std::size_t response = 32 * 1024 * 1024; // bytes of one body
    std::size_t filter_terms = 200;          // conditions in all filters together
    std::size_t filter_hops = 40;            // relations in one path of a filter or sort
    std::size_t list_values = 500;           // values of one $in, $notIn, …

    std::chrono::milliseconds read{5'000};      // from the first byte to the whole request
    std::chrono::milliseconds request{10'000};  // from the whole request to the answer
    std::chrono::milliseconds statement{5'000}; // one SQL statement
    std::chrono::milliseconds acquire{2'000};   // waiting for a database connection
    std::chrono::milliseconds drain{10'000};    // finishing requests after SIGTERM
};

} // namespace parser
