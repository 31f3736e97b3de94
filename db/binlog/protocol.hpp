#pragma once

// The guarantee rests on these rules. They are apart from the code so that a test can show that
// each of them is needed: it links a protocol() of its own, and its responses are stale. A program
// has one protocol, and no option changes it.

#include <cstdint>

namespace db {

class LastChanges;
class Connection;
struct Epoch;

struct Protocol {
    // Null: a tag is what is visible to each later snapshot. Otherwise a tag is what this returns,
    // in a test.
    std::uint64_t (*ask_wrongly)(Connection&, Epoch const&, LastChanges const&) = nullptr;
    bool asks = true;         // asks where the binlog ends before a cache entry is used
    bool judges = true;       // MariaDB: checks what the server says of a snapshot
    bool counts_owned = true; // MySQL: the floor is above what is about to become visible
    // Galera: the end of the binlog is asked for together with something that a node refuses if it
    // has lost the others.
    bool asks_node = true;
};

Protocol const& protocol();

} // namespace db
