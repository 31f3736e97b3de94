#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/read_plan.hpp"

namespace db {

// Binds `sort`.
std::vector<SortColumn> bind_sort(BindContext& context, parser::Selection const& selection,
                                  ContentType const& type, parser::Place const& place);

} // namespace db
