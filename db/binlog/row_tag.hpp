#pragma once

#include "db/binlog/change_log.hpp"

#include <boost/static_string/static_string.hpp>

#include <cstdint>
#include <optional>
#include <string_view>

// Names the parts of a table whose changes are told apart, so that a response can depend on some
// rows of a table instead of all.

namespace db {

// A value that a row is looked for by. Equal values are equal for every collation.
using TagValue = boost::static_string<64>;
TagValue tag_value(std::uint64_t id);
// Returns none if a collation may find the text equal to another one; all of them ignore the case
// of A to Z at most in these, of which Strapi's UIDs are made: letters, digits, `_`, `.`, `-` and
// `~`, up to 64.
std::optional<TagValue> tag_value(std::string_view text);

struct RowTag {
    enum class Kind : std::uint8_t {
        undecoded, // rows changed, and it is not known which
        inserted,
        deleted,
        column,      // of any row, changed by an update
        value,       // a row had, has or gets this value in the column
        other_value, // likewise, for a value that is not known or has no TagValue
    };
    ChangeLog::Table const* table;
    Kind kind;
    std::uint16_t column = 0; // counted from 0
    TagValue value = {};
};

} // namespace db
