#pragma once

// What the guarantee rests on, apart from the code so that a test can show that each of it is
// needed: it links a protocol() of its own, and its answers are stale. A program has one, and no
// switch changes it.

namespace db {

struct Protocol {
    enum class TagSource {
        settled,    // what is visible to each later snapshot
        end_of_log, // written, and maybe not visible yet
        seen,       // by the stream
    };
    TagSource tag = TagSource::settled;
    bool asks = true;         // where the log ends, before what is kept is used
    bool judges = true;       // MariaDB: what the server says of a snapshot is not taken on trust
    bool counts_owned = true; // MySQL: the floor is above what is on its way to become visible
    // Galera: with the end of the log something is asked that a node which lost the others refuses.
    bool asks_node = true;
};

Protocol const& protocol();

} // namespace db
