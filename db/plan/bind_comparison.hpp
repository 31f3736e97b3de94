#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/condition.hpp"

namespace db {

// Returns the text with `\` before each of `signs`.
std::string escaped(std::string_view text, std::string_view signs);

Condition compare(std::string_view column, Comparator comparator, std::vector<Literal> values);

// Binds an operator on a scalar, with its operand cast to the scalar's type.
Condition bind_comparison(BindContext& context, std::string_view column, AttributeType type,
                          parser::Filter const& filter, parser::Place const& place);

} // namespace db
