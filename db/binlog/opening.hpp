#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/obstacle.hpp"
#include "db/binlog/position.hpp"
#include "db/binlog/server_facts.hpp"
#include "db/wire/wire.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// A connection that follows the binlog, and where it begins.
struct Opening {
    explicit Opening(Leash& leash) : wire(leash) {}

    Wire wire;
    ServerFacts facts;
    std::string server;
    Position position = 0;
    std::uint64_t floor = 0;
    std::optional<Position> checkpoint;     // MariaDB, see Settlement
    std::optional<std::string_view> packet; // the first one
    // Why it could not be opened. Without obstacles the trouble may pass by itself.
    std::vector<Obstacle> obstacles;
    std::string trouble;
};

// Returns false if there are obstacles, or trouble.
bool open_log(Opening& opening, DatabaseUrl const& url, ChangeLog::Settings const& settings);

} // namespace db
