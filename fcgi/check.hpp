#pragma once

#include "fcgi/options.hpp"

#include <string>
#include <vector>

namespace fcgi {

// One thing that does not fit, and what would help.
struct Finding {
    bool is_problem; // else it is worth knowing, and may be meant so
    std::string what;
    std::string cure;
};

// What the settings alone tell: socket, secrets, environment.
std::vector<Finding> check_settings(Options const& options);

// What the project's config/*.js visibly sets and we were told otherwise. It is JavaScript, and not
// run: only `name: value` is looked for.
std::vector<Finding> check_project_settings(Options const& options);

} // namespace fcgi
