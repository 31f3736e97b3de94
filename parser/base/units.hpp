#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

// Reads and writes numbers, times and sizes as options take them.

namespace parser {

// Takes digits and nothing else.
std::optional<std::size_t> read_number(std::string_view text);

// Takes `250ms`, `5s`, `2m`, `1h`; a number alone is seconds. From 1 ms to a day, or 0.
std::optional<std::chrono::milliseconds> read_time(std::string_view text);
inline constexpr char expected_time[] =
    "expected a time such as 250ms, 5s, 2m or 1h, at most a day; a number alone is seconds";

// Takes `16K`, `64M`, `1G`, in either case and also with `iB` (`64MiB`): powers of 1,024; a number
// alone is bytes.
std::optional<std::size_t> read_size(std::string_view text);
inline constexpr char expected_size[] =
    "expected a size such as 16K, 64M or 1G; a number alone is bytes";

// Both write what is read above, in the largest unit that divides it.
std::string write_time(std::chrono::milliseconds time);
std::string write_size(std::size_t bytes);

} // namespace parser
