#pragma once

#include "db/plan/read_plan.hpp"

#include <string>

namespace db {

// One line per node, indented below its parent; conditions as the SQL that asks for them.
std::string dump(ReadPlan const& plan);

} // namespace db
