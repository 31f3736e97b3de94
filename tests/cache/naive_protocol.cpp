#include "db/binlog/protocol.hpp"

#include <cstdlib>
#include <iostream>
#include <string_view>

// What the program must not do, by the name in NAIVE. Linked in the place of
// db/binlog/protocol.cpp.

namespace db {

Protocol const& protocol() {
    static Protocol const naive = [] {
        auto const* const name = std::getenv("NAIVE");
        std::string_view const which = name ? name : "";
        Protocol protocol;
        if (which == "tag-is-end-of-log")
            protocol.tag = Protocol::TagSource::end_of_log;
        else if (which == "tag-is-what-was-seen")
            protocol.tag = Protocol::TagSource::seen;
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
