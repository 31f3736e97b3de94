#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/position.hpp"
#include "db/binlog/server_facts.hpp"
#include "db/mysql/wire.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// A place between two transactions, and in which log it is.
struct LogPlace {
    std::string server; // as server_of() returns it
    // When the file that the position is in was begun, in seconds since 1970: a log that was reset
    // has other files of the same names.
    std::uint32_t file_begun = 0;
    Position position = 0;

    bool operator==(LogPlace const&) const = default;
};

// A connection that follows the binlog, and where it begins.
struct Opening {
    explicit Opening(Interrupter& interrupter) : wire(interrupter) {}

    Wire wire;
    ServerFacts facts;
    std::string server;
    Position position = 0;
    std::uint64_t floor = 0;
    std::optional<Position> checkpoint; // MariaDB, see Settlement
    std::optional<Landmark> landmark;
    std::optional<std::string_view> packet; // the first one
    // Why it could not be opened. Without obstacles the trouble may pass by itself.
    std::vector<Obstacle> obstacles;
    std::string trouble;
    bool is_gone = false; // the server has not what follows the place to begin at
};

// Begins at `from`, which its reader has yet to compare with the file's beginning; without it where
// the binlog ends. Returns false if there are obstacles, or trouble.
bool open_log(Opening& opening, DatabaseUrl const& url, ChangeLog::Settings const& settings,
              std::optional<LogPlace> const& from = std::nullopt);

struct Survey {
    std::vector<Obstacle> obstacles; // none: the binlog can be followed
    std::vector<Obstacle> hints;     // what makes the cache of little use, though correct
};

// Queries the server and opens its binlog for a moment, as a replica with its own server id. `url`
// is that of the account that follows the binlog. Waits a few seconds at most.
Survey survey_log(DatabaseUrl const& url);

} // namespace db
