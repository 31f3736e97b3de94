#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Lines of Prometheus' text format 0.0.4.

namespace fcgi {

// Appends what comes before the samples of a metric. `type` is counter, gauge or histogram.
void append_head(std::string& out, std::string_view name, std::string_view type,
                 std::string_view help);

// Appends a sample. `labels` is `status="200"`, several with a comma between, or empty.
void append_line(std::string& out, std::string_view name, std::string_view labels,
                 std::string_view value);

// Appends the samples of a histogram with these labels, of its buckets only every `step`th and the
// last. `counts` has the count of each bucket by itself, and one more for what is beyond the last
// of the `ends`.
void append_buckets(std::string& out, std::string_view name, std::string const& labels,
                    std::span<double const> ends, std::size_t step,
                    std::span<std::uint64_t const> counts, double sum);

// Returns `status="200"`. The value must not contain anything that has to be escaped.
std::string label(std::string_view name, std::string_view value);

std::string number(double value);

} // namespace fcgi
