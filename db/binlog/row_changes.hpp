#pragma once

#include "db/binlog/changes.hpp"
#include "db/binlog/row_event.hpp"

#include <cstdint>

namespace db {

// Notes at `at` all row tags that apply to the rows of an event. Returns false if it cannot be read
// to its end.
bool raise_tags_of_rows(LogEvent const& event, RowFormat const& format,
                        ChangeLog::Table const& table, Changes& changes, std::uint64_t at);

} // namespace db
