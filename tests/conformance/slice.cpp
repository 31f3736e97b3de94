#include "tests/conformance/record.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace conformance {
namespace {

std::string decode_percent(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        unsigned value = 0;
        if (text[i] == '%' && i + 2 < text.size() &&
            std::from_chars(&text[i + 1], &text[i + 3], value, 16).ptr == &text[i + 3]) {
            out += static_cast<char>(value);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

// `a[b][c]` -> a, b, c. Empty if it is written in any other way.
std::vector<std::string> segments(std::string const& key) {
    std::vector<std::string> found{key.substr(0, key.find('['))};
    std::size_t at = found.front().size();
    while (at < key.size()) {
        auto const close = key.find(']', at);
        if (key[at] != '[' || close == key.npos) return {};
        found.push_back(key.substr(at + 1, close - at - 1));
        at = close + 1;
    }
    return found;
}

using Segment = std::vector<std::string>::const_iterator;

// Returns whether the segments from `at` on may stand in the options of a populated attribute.
bool are_options(Segment at, Segment const end) {
    while (at != end) {
        auto const name = *at++;
        if (name == "fields" || name == "sort") return true;
        if (name == "filters")
            return std::all_of(at, end, [](auto const& segment) {
                return !segment.starts_with('$') || segment == "$eq";
            });
        if (name != "populate" && name != "on") return false;
        if (at != end) ++at; // the attribute or component, whose options follow
    }
    return true;
}

bool is_allowed(std::string_view part) {
    auto const names = segments(decode_percent(part.substr(0, part.find('='))));
    if (names.empty()) return false;
    auto const& first = names.front();
    if (first == "fields" || first == "pagination") return true;
    return first == "populate" && are_options(names.begin(), names.end());
}

} // namespace

bool in_first_slice(Record const& record) {
    static std::set<std::string_view> const groups{"basic",    "scalars",         "fields",
                                                   "populate", "populate-nested", "dynamiczone"};
    if (record.status != 200 || record.method != "GET" || record.auth != "public" ||
        !groups.contains(record.group))
        return false;
    auto const path_end = record.path.find('?');
    if (path_end == record.path.npos) return true;
    std::string_view rest = std::string_view(record.path).substr(path_end + 1);
    while (!rest.empty()) {
        auto const part = rest.substr(0, rest.find('&'));
        if (!part.empty() && !is_allowed(part)) return false;
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    }
    return true;
}

} // namespace conformance
