#pragma once

#include "db/plan/read_plan.hpp"

#include <string>

namespace db {

// Returns one line per node, indented below its parent, with conditions as the SQL that asks for
// them.
std::string dump(ReadPlan const& plan);

} // namespace db
