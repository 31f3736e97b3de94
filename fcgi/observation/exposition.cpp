#include "fcgi/observation/exposition.hpp"

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

std::string label(std::string_view name, std::string_view value) {
    return std::string(name).append("=\"").append(value).append("\"");
}

std::string number(double value) {
    std::array<char, 32> digits;
    return {digits.begin(), std::to_chars(digits.begin(), digits.end(), value).ptr};
}

} // namespace fcgi
