#pragma once

#include "db/mysql/table_relations.hpp"
#include "db/schema/schema.hpp"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace db {

// The columns by whose values rows are told apart, by table.
using RowKeys = std::map<TableName, std::set<std::string, std::less<>>>;

// Returns all columns that RowUse::values can have for a schema. Who follows the log for caches
// outside of the program tells rows apart by these from the start, and so need not hear from the
// processes whose responses are cached there.
RowKeys row_keys(Schema const& schema);

// Returns whether entries are looked for by the column, of which few have the same value.
bool is_row_key(ContentType const& type, std::string_view column);

} // namespace db
