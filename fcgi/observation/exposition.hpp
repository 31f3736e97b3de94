#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// Lines of Prometheus' text format 0.0.4.

namespace fcgi {

// What comes before the samples of a metric. `type`: counter, gauge or histogram.
void append_head(std::string& out, std::string_view name, std::string_view type,
                 std::string_view help);

// A sample. `labels` is `status="200"`, several with a comma between, or empty.
void append_line(std::string& out, std::string_view name, std::string_view labels,
                 std::string_view value);

// The samples of a histogram with these labels, all but every `step`th of its buckets left out.
// `counts` is of each bucket by itself, and one more for what is beyond the last of the `ends`.
void append_buckets(std::string& out, std::string_view name, std::string const& labels,
                    std::span<double const> ends, std::size_t step,
                    std::span<std::uint64_t const> counts, double sum);

// `status="200"`. The value has nothing in it that would have to be escaped.
std::string label(std::string_view name, std::string_view value);

std::string number(double value);

} // namespace fcgi
