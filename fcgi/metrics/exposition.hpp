#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Prometheus' text format 0.0.4.

namespace fcgi {

// Appends what comes before the samples of a metric. `type` is counter, gauge or histogram.
void append_head(std::string& out, std::string_view name, std::string_view type,
                 std::string_view help);

// Appends a sample. `labels` is empty, or `status="200"`; commas separate several.
void append_line(std::string& out, std::string_view name, std::string_view labels,
                 std::string_view value);

// Appends the samples of a histogram with these labels, but only every `step`th bucket and the
// last one. `counts` has the count of each bucket alone, and one more for values beyond the last
// of the `ends`.
void append_buckets(std::string& out, std::string_view name, std::string const& labels,
                    std::span<double const> ends, std::size_t step,
                    std::span<std::uint64_t const> counts, double sum);

// Returns `status="200"`. The value must not contain anything that has to be escaped.
std::string label(std::string_view name, std::string_view value);

std::string number(double value);

// Returns what the system reports of this process, in Prometheus' text format under the names that
// its client libraries use. Empty if no descriptor is left to read with.
std::string process_usage(std::chrono::system_clock::time_point started);

} // namespace fcgi
