#pragma once

#include <cstdint>
#include <string>
#include <vector>

// The columns and indexes of a table as CREATE TABLE declares them.

namespace db {

// Every column may be NULL and is NULL by default.
struct ColumnType {
    enum class Kind : std::uint8_t {
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
    Kind kind = Kind::varchar;
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

} // namespace db
