#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// Returns the name that `written` was meant to be: the one with the fewest edits (a letter more,
// less or different, two swapped), a third of its letters at most. Returns an empty text if no name
// is that close.
std::string closest_name(std::string_view written, std::vector<std::string> const& names);

// Returns `; did you mean `max-limit`?`, or an empty text.
std::string did_you_mean(std::string_view written, std::vector<std::string> const& names);

} // namespace fcgi
