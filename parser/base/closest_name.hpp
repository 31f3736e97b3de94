#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// The name that `written` was meant to be: what it takes fewest edits to (a letter more, less or
// another, two swapped), a third of its letters at most. Empty if none is so near.
std::string closest_name(std::string_view written, std::vector<std::string> const& names);

// `; did you mean `max-limit`?`, or nothing.
std::string did_you_mean(std::string_view written, std::vector<std::string> const& names);

} // namespace fcgi
