#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/read_plan.hpp"

// Binds which of the root's rows are returned, unless BindingRules::pages_are_windows.

namespace db {

// Binds `pagination` of a list with `meta`.
Page bind_page(BindContext& context, parser::Query const& query, parser::Place const& place);

// Binds `start` and `limit` outside of `pagination`, which Strapi 4.26 uses where it reads no
// `pagination`.
void bind_root_window(BindContext& context, parser::Query const& query, parser::Place const& place,
                      Node& node);

} // namespace db
