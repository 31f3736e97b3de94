#pragma once

#include "db/plan/condition.hpp"
#include "parser/base/error.hpp"

#include <string_view>

namespace db {

// The value of a filter as the type of its attribute, by the rules of Strapi 4.26: numbers as
// JavaScript's Number() reads them, booleans by truthiness, dates and times by date-fns 2.30.
// `where` is the place in the query (`filters[rank][$gt]`), for the message. Dates that can't be
// read are errors with the reference's own text; what the reference answers with 500 is `invalid`
// and says what was expected.
parser::Result<Literal> cast(AttributeType type, std::string_view text, std::string_view where);

// Whether the value of $null and $notNull means yes.
bool cast_boolean(std::string_view text);

} // namespace db
