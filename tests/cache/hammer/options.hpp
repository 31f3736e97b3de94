#pragma once

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace hammer {

struct Options {
    std::string program;
    std::string cache = "exact";
    // So old responses may be: of `cache=bounded=TIME`, or by what else is promised.
    std::chrono::nanoseconds bound{0};
    unsigned writers = 4, readers = 8;
    std::chrono::microseconds pause{0}; // of a writer between transactions, on average
    std::chrono::milliseconds delay{0}; // of each response of the database
    // The run ends when all three are reached.
    double seconds = 10;
    std::uint64_t reads = 0, writes = 0;
    std::uint64_t hits = 0;     // fewer of them are a failure
    bool expects_stale = false; // ends at the first stale response, which is success
    std::set<std::string> disturbances;
    std::vector<std::string> writable; // URLs of the servers that the writers write to, in turn
    std::vector<std::string> more;     // options of the program
    std::string listen; // where the program does, if it is not in a folder of the hammer's own
    std::string ask;    // of readers, who ask the program itself without it

    // `tests/with log content` sets these in the environment.
    std::string owner, reader, schema, cache_user, cache_password_file, server_pid_file,
        server_start;
    // Of the processes that tests/edge/with-edge starts again when they are killed; may be empty.
    std::string notify_pid_file, varnish_pid_file;
    // Commands of tests/edge/with-outages; may be empty.
    std::string lose_varnish, lose_database, lose_nothing;
};

// Ends the program where they are no options.
Options read_options(int argc, char** argv);

} // namespace hammer
