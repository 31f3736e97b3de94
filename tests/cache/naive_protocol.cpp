#include "db/binlog/change_log_state.hpp"
#include "db/binlog/position.hpp"
#include "db/binlog/protocol.hpp"
#include "db/mysql/connection.hpp"
#include "db/mysql/sql_text.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

// The environment variable NAIVE names one thing that the program must not do, and this does it. It
// is linked in the place of db/binlog/protocol.cpp.

namespace db {

namespace {

// Returns the end of what is written, which may not be visible yet. The account of the pool must be
// allowed to see where the binlog ends.
std::uint64_t end_of_log(Connection& connection, Epoch const& epoch, LastChanges const& changes) {
    if (epoch.is_mysql()) return changes.newest();
    auto rows = connection.query(SqlPiece("SHOW MASTER STATUS"));
    if (!rows || !rows->next()) return 0;
    std::string const file(rows->text(0));
    return position_of(file, rows->text(1)).value_or(0);
}

// Returns the end of what the stream has read, which may not be visible yet, either.
std::uint64_t what_was_seen(Connection&, Epoch const& epoch, LastChanges const& changes) {
    return epoch.is_mysql() ? changes.newest() : changes.reached();
}

} // namespace

Protocol const& protocol() {
    static Protocol const naive = [] {
        auto const* const name = std::getenv("NAIVE");
        std::string_view const which = name ? name : "";
        Protocol protocol;
        if (which == "tag-is-end-of-log")
            protocol.ask_wrongly = end_of_log;
        else if (which == "tag-is-what-was-seen")
            protocol.ask_wrongly = what_was_seen;
        else if (which == "no-question")
            protocol.asks = false;
        else if (which == "tag-is-what-is-said")
            protocol.judges = false;
        else if (which == "floor-without-owned")
            protocol.counts_owned = false;
        else if (which == "node-not-asked")
            protocol.asks_node = false;
        else {
            std::cerr << "populate-fcgi-naive: NAIVE names no variant\n";
            std::exit(64);
        }
        return protocol;
    }();
    return naive;
}

} // namespace db
