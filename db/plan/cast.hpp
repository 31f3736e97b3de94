#pragma once

#include "db/plan/condition.hpp"
#include "parser/base/error.hpp"

#include <string_view>

namespace db {

// Casts the value of a filter to the type of its attribute, by the rules of Strapi 4.26: numbers as
// JavaScript's Number() reads them, booleans by truthiness, dates and times by date-fns 2.30.
// `where` is the place in the query (`filters[rank][$gt]`), for the message. Dates that can't be
// read are errors with Strapi's own text; for what Strapi answers with 500 the error is `invalid`
// and says what was expected.
parser::Result<Literal> cast(AttributeType type, std::string_view text, std::string_view where);

// Whether a text is true as a boolean, or as the value of $null and $notNull.
bool cast_boolean(std::string_view text);

} // namespace db
