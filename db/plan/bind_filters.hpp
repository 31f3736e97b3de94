#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/condition.hpp"

// Binds which entries of a type are meant.

namespace db {

// Binds `filters`.
Condition bind_filters(BindContext& context, parser::Filter const& filter, ContentType const& type,
                       parser::Place const& place);

// Binds `locale` of a localized type.
Condition bind_locale(BindContext& context, parser::Query const& query, Target const& target,
                      parser::Place const& place);

// Binds `_q`, which asks for entries that have the text anywhere.
Condition bind_search(std::string_view text, ContentType const& type);

} // namespace db
