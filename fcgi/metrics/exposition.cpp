#include "fcgi/metrics/exposition.hpp"

#include <array>
#include <charconv>

namespace fcgi {

void append_head(std::string& out, std::string_view name, std::string_view type,
                 std::string_view help) {
    out.append("# HELP ").append(name).append(" ").append(help).append("\n");
    out.append("# TYPE ").append(name).append(" ").append(type).append("\n");
}

void append_line(std::string& out, std::string_view name, std::string_view labels,
                 std::string_view value) {
    out.append(name);
    if (!labels.empty()) out.append("{").append(labels).append("}");
    out.append(" ").append(value).append("\n");
}

void append_buckets(std::string& out, std::string_view name, std::string const& labels,
                    std::span<double const> ends, std::size_t step,
                    std::span<std::uint64_t const> counts, double sum) {
    std::string const family(name);
    std::uint64_t total = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        total += counts[i];
        bool const is_last = i == ends.size();
        if (!is_last && (i + 1) % step != 0) continue;
        append_line(out, family + "_bucket",
                    (labels.empty() ? "" : labels + ",") +
                        label("le", is_last ? "+Inf" : number(ends[i])),
                    std::to_string(total));
    }
    append_line(out, family + "_sum", labels, number(sum));
    append_line(out, family + "_count", labels, std::to_string(total));
}

std::string label(std::string_view name, std::string_view value) {
    return std::string(name).append("=\"").append(value).append("\"");
}

std::string number(double value) {
    std::array<char, 32> digits;
    return {digits.begin(), std::to_chars(digits.begin(), digits.end(), value).ptr};
}

} // namespace fcgi
