#pragma once

#include <string>
#include <string_view>

namespace db {

// snake() of lodash 4, with which Strapi names columns and link tables (`h1_pages` -> `h_1_pages`).
std::string snake_case(std::string_view name);

// kebab() of lodash 4 (`h1-page` -> `h-1-page`).
std::string kebab_case(std::string_view name);

// Turns the name of a folder or file in src/api/ into a part of a UID, as Strapi does: kebab case
// stays as it is, all else goes through kebab_case().
std::string normalized_name(std::string_view name);

} // namespace db
