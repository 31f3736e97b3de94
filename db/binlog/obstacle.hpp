#pragma once

#include "db/mysql/connection.hpp"

#include <string>
#include <vector>

namespace db {

// Why responses cannot be cached without ever being stale, and what an operator can do about it.
// Each is one line.
struct Obstacle {
    std::string what; // for anyone, without names
    std::string fix;
    // What the server said, for the operator; empty: nothing. If it is set, `fix` may have names,
    // too.
    std::string detail = {};

    std::string text() const { return detail.empty() ? what : what + ": " + detail; }

    bool operator==(Obstacle const&) const = default;
};

struct Survey {
    std::vector<Obstacle> obstacles; // none: the binlog can be followed
    std::vector<Obstacle> hints;     // what makes the cache of little use, though correct
};

// Queries the server and opens its binlog for a moment, as a replica with its own server id. `url`
// is that of the account that follows the binlog. Waits a few seconds at most.
Survey survey_log(DatabaseUrl const& url);

} // namespace db
