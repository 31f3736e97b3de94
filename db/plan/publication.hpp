#pragma once

#include "db/plan/condition.hpp"
#include "parser/query.hpp"

namespace db {

// Returns the condition for rows of this publication, as are all rows of a type without drafts.
Condition published_as(parser::Publication const& publication, ContentType const& type);

} // namespace db
