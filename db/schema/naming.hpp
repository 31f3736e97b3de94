#pragma once

#include <string>
#include <string_view>

namespace db {

// snake() of lodash 4, as Strapi names columns and link tables with it (`h1_pages` -> `h_1_pages`).
std::string snake_case(std::string_view name);

// kebab() of lodash 4 (`h1-page` -> `h-1-page`).
std::string kebab_case(std::string_view name);

// As Strapi turns the name of a folder or file in src/api/ into a part of a UID: kebab case as it
// is, all else by kebab_case().
std::string normalized_name(std::string_view name);

} // namespace db
