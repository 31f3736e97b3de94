#pragma once

#include "parser/base/error.hpp"

#include <string_view>

// What Strapi 4.26 asks of `page` and `pageSize` wherever it makes no use of them: inside populate,
// and at the root of queries without `meta`.

namespace parser {

// Beside `start` or `limit`.
Error both_page_forms();

// A whole number above 0.
bool counts_pages(double number);
Error no_page_number(std::string_view name, std::string_view received);

} // namespace parser
