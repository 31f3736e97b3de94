#pragma once

#include <map>
#include <string>

namespace cache_test {

// By name and labels, as in the text: `populate_cache_requests_total{use="hit"}`.
using Counts = std::map<std::string, double>;

// Throws std::runtime_error if nobody answers there.
Counts read_metrics(std::string const& address);

// How many requests ended in this use of the cache: `hit`, `miss` and so on.
double uses(Counts const& counts, std::string const& use);

} // namespace cache_test
