#include "parser/base/units.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <charconv>
#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

namespace parser {

namespace {

using Unit = std::pair<std::string_view, std::uint64_t>; // the name, and the factor
constexpr Unit times[] = {{"h", 3'600'000}, {"m", 60'000}, {"s", 1'000}, {"ms", 1}};
constexpr Unit sizes[] = {{"G", 1'073'741'824}, {"M", 1'048'576}, {"K", 1'024}, {"", 1}};

template<class Number>
std::optional<Number> cut_number(std::string_view& text) {
    Number number{};
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::string write(std::uint64_t value, std::span<Unit const> units) {
    for (auto const& [name, factor] : units)
        if (value != 0 && value % factor == 0) return std::to_string(value / factor).append(name);
    return std::to_string(value);
}

} // namespace

std::optional<std::size_t> read_number(std::string_view text) {
    auto const number = cut_number<std::size_t>(text);
    return text.empty() ? number : std::nullopt;
}

std::optional<std::chrono::milliseconds> read_time(std::string_view text) {
    auto const number = cut_number<double>(text);
    if (!number) return std::nullopt;
    if (text.empty()) text = "s";
    constexpr double longest = 86'400'000;
    for (auto const& [name, factor] : times) {
        if (text != name) continue;
        double const milliseconds = *number * static_cast<double>(factor);
        bool const is_time = milliseconds == 0 || (milliseconds >= 1 && milliseconds <= longest);
        if (!is_time) return std::nullopt;
        return std::chrono::milliseconds(std::llround(milliseconds));
    }
    return std::nullopt;
}

std::optional<std::size_t> read_size(std::string_view text) {
    auto const number = cut_number<std::uint64_t>(text);
    if (!number) return std::nullopt;
    if (text.size() == 3 && text.ends_with("iB")) text.remove_suffix(2);
    for (auto const& [name, factor] : sizes)
        if (boost::iequals(text, name) && *number <= SIZE_MAX / factor) return *number * factor;
    return std::nullopt;
}

std::string write_time(std::chrono::milliseconds time) {
    return write(static_cast<std::uint64_t>(time.count()), times);
}

std::string write_size(std::size_t bytes) {
    return write(bytes, sizes);
}

} // namespace parser
