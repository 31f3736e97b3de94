#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/read_plan.hpp"

// Binds which of the root's rows are returned, if BindingRules::pages_are_windows.

namespace db {

// Binds `pagination` of a list with `meta`. In such a list, `start` and `limit` outside of
// `pagination` have no effect, and `page` and `pageSize` there are refused.
Page bind_windowed_page(BindContext& context, parser::Query const& query, bool is_localized);

// Binds `start` and `limit` outside of `pagination`, for all other responses.
void bind_window(BindContext& context, parser::Query const& query, Node& node);

} // namespace db
