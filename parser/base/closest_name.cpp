#include "parser/base/closest_name.hpp"

#include <algorithm>
#include <numeric>

namespace fcgi {

namespace {

// Computes Damerau's distance, of which it holds three rows.
std::size_t edits(std::string_view from, std::string_view to) {
    std::vector<std::size_t> before(to.size() + 1), last(to.size() + 1), row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= from.size(); ++i) {
        before.swap(last);
        last.swap(row);
        row[0] = i;
        for (std::size_t j = 1; j <= to.size(); ++j) {
            row[j] = std::min(
                {last[j] + 1, row[j - 1] + 1, last[j - 1] + std::size_t{from[i - 1] != to[j - 1]}});
            bool const swapped =
                i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
    }
    return row[to.size()];
}

} // namespace

std::string closest_name(std::string_view written, std::vector<std::string> const& names) {
    std::string closest;
    std::size_t fewest = written.size() / 3 + 1;
    for (std::string const& name : names) {
        auto const needed = edits(written, name);
        if (needed >= fewest) continue;
        fewest = needed;
        closest = name;
    }
    return closest;
}

std::string did_you_mean(std::string_view written, std::vector<std::string> const& names) {
    auto const closest = closest_name(written, names);
    return closest.empty() ? closest : "; did you mean `" + closest + "`?";
}

} // namespace fcgi
