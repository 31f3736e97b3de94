#pragma once

#include "db/mysql/connection.hpp"

#include <string>
#include <vector>

namespace db {

// Why answers cannot be kept and never be stale, and what an operator can do about it, a line each.
struct Obstacle {
    std::string what;
    std::string cure;

    bool operator==(Obstacle const&) const = default;
};

struct Survey {
    std::vector<Obstacle> obstacles; // none: the log can be followed
    std::vector<Obstacle> hints;     // of what makes it right but of little use
};

// Asks the server, and opens its log as a replica with a number of its own for a moment. `url` is
// of the account that follows the log. Waits some seconds at most.
Survey survey_log(DatabaseUrl const& url);

} // namespace db
