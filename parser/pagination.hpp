#pragma once

#include "parser/base/error.hpp"

#include <string_view>

// The checks that Strapi 4.26 makes on `page` and `pageSize` where it does not use them: inside
// populate, and at the root of queries without `meta`.

namespace parser {

// The error for `page` or `pageSize` beside `start` or `limit`.
Error both_page_forms();

// Returns whether it is a whole number above 0.
bool counts_pages(double number);
Error no_page_number(std::string_view name, std::string_view received);

} // namespace parser
