#pragma once

#include "db/plan/read_plan.hpp"

namespace db {

// Replaces what is compared with a text that the column's character set cannot hold. The database
// refuses to compare such texts; no value of the column equals, contains or precedes one.
void replace_unheld_texts(ReadPlan& plan);

} // namespace db
