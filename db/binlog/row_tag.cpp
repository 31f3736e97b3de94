#include "db/binlog/row_tag.hpp"

namespace db {

TagValue tag_value(std::uint64_t id) {
    return {reinterpret_cast<char const*>(&id), sizeof id};
}

std::optional<TagValue> tag_value(std::string_view text) {
    if (text.empty() || text.size() > TagValue::static_capacity) return std::nullopt;
    TagValue value;
    for (char const c : text) {
        bool const is_upper = c >= 'A' && c <= 'Z';
        bool const is_lower = c >= 'a' && c <= 'z';
        bool const is_other =
            (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '-' || c == '~';
        if (!is_upper && !is_lower && !is_other) return std::nullopt;
        value.push_back(is_upper ? static_cast<char>(c - 'A' + 'a') : c);
    }
    return value;
}

} // namespace db
