#pragma once

#include "db/plan/read_plan.hpp"

namespace db {

// Whether a plan that was never read is expected to be expensive: by how many relations its filters
// and sorts follow, each of which is looked for in every row, and by how many tables it reads.
// Front ends ask for a handful of either.
bool looks_expensive(ReadPlan const& plan);

} // namespace db
