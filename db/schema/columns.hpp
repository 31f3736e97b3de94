#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

// The columns and indexes of a table as CREATE TABLE declares them, and what columns can hold.

namespace db {

// Every column may be NULL and is NULL by default.
struct ColumnType {
    enum class SqlType : std::uint8_t {
        unknown, // a `columnType` that is not known here
        varchar,
        text,
        mediumtext,
        longtext,
        json,
        integer,
        biginteger,
        floating,
        double_floating,
        decimal,
        boolean,
        date,
        time,
        datetime,
        timestamp,
    };
    SqlType kind = SqlType::varchar;
    unsigned size = 0;  // characters, digits of a decimal number, or digits after the second
    unsigned scale = 0; // digits after the point of a decimal number
    bool is_unsigned = false;
    bool is_unique = false; // has a unique index of its own
};

struct TableIndex {
    std::string name;
    std::vector<std::string> columns;
    bool is_unique = false;
};

// The characters that a text column can hold, which follow from its character set.
enum class Repertoire : std::uint8_t {
    unicode,
    basic_plane, // U+0000 to U+FFFF: no emoji
    latin1,      // as MySQL has it: those of Windows-1252
};

// Returns that of a character set as the database names it; `unicode` for sets that are not known
// here, so that the database itself refuses what they cannot hold.
Repertoire repertoire_of(std::string_view character_set);

// Returns whether a column can hold the text, which is UTF-8.
bool holds(Repertoire repertoire, std::string_view utf8);

} // namespace db
