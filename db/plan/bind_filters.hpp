#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/condition.hpp"

// Which entries of a type are meant.

namespace db {

// `filters`.
Condition bind_filters(BindContext& context, parser::Filter const& filter, ContentType const& type,
                       parser::Place const& place);

// `locale` of a localized type.
Condition bind_locale(BindContext& context, parser::Query const& query, Target const& target,
                      parser::Place const& place);

// `_q`: entries that have the text anywhere.
Condition bind_search(std::string_view text, ContentType const& type);

} // namespace db
