#pragma once

#include "fcgi/options/options.hpp"

#include <string>

namespace fcgi {

struct SuggestArguments {
    std::string log = "-";
    std::string min_rows = "10000";
};
// Prints the statements that create the indexes that the requests of a log would use, with what
// each is for. Returns the exit code.
int suggest_indexes(SuggestArguments const& arguments, Options const& options);

} // namespace fcgi
