#pragma once

#include "db/read/existing.hpp"
#include "db/schema/schema.hpp"

#include <vector>

namespace db {

// Returns the indexes that most sites use: for the list of each collection type with its total, for
// an entry by its slug (`uid`), and for relations with a limit. Those that existing ones serve are
// left out.
std::vector<Index> usual_indexes(Schema const& schema, std::vector<ExistingIndex> const& existing);

} // namespace db
