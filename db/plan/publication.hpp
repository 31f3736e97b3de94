#pragma once

#include "db/plan/condition.hpp"
#include "parser/query.hpp"

namespace db {

// Rows of the type that are of this publication: of a type without drafts all.
Condition published_as(parser::Publication const& publication, ContentType const& type);

} // namespace db
