#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/condition.hpp"

namespace db {

// A text with `\` before each of the signs.
std::string escaped(std::string_view text, std::string_view signs);

Condition compare(std::string_view column, Comparator comparator, std::vector<Literal> values);

// An operator on the value of one scalar, with its operand as a value of that type.
Condition bind_comparison(BindContext& context, std::string_view column, AttributeType type,
                          parser::Filter const& filter, parser::Place const& place);

} // namespace db
