#pragma once

#include <string>
#include <string_view>

namespace db {

// snake() of lodash 4, as Strapi names columns and link tables with it (`h1_pages` -> `h_1_pages`).
std::string snake_case(std::string_view name);

// kebab() of lodash 4, as Strapi turns a folder's name into a part of a UID.
std::string kebab_case(std::string_view name);

} // namespace db
