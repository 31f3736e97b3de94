#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/read_plan.hpp"

// Which of the root's rows are answered.

namespace db {

// `pagination`, of a list with `meta`.
Page bind_page(BindContext& context, parser::Query const& query, parser::Place const& place);

// `start` and `limit` beside the other parameters, which Strapi 4.26 hands to its query where no
// `pagination` is read.
void bind_root_window(BindContext& context, parser::Query const& query, parser::Place const& place,
                      Node& node);

} // namespace db
