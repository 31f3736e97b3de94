#pragma once

#include "fcgi/options/options.hpp"

#include <string>

namespace fcgi {

struct TrialArguments {
    std::string on; // URL of a copy of the database, as an account that may change its tables
    std::string log;
    std::string file;
};
// Measures recorded requests on a copy of the database, one of each shape, before and after the
// indexes of a file are created there, and drops these again. Returns the exit code, which says
// whether any shape is slower.
int try_indexes(TrialArguments const& arguments, Options const& options);

} // namespace fcgi
