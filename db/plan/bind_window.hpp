#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/read_plan.hpp"

// Which of the root's rows are answered, where Rules::pages_are_windows.

namespace db {

// `pagination`, of a list with `meta`. `start` and `limit` beside the other parameters mean nothing
// there, and `page` and `pageSize` are refused.
Page bind_windowed_page(BindContext& context, parser::Query const& query, bool is_localized);

// `start` and `limit` beside the other parameters, of anything else.
void bind_window(BindContext& context, parser::Query const& query, Node& node);

} // namespace db
