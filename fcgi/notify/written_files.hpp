#pragma once

#include "db/binlog/opening.hpp"
#include "fcgi/notify/outboxes.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

// The files that the command writes: how far it has come, and what it counts.

namespace fcgi::notify {

// How far all targets have been told.
struct Checkpoint {
    db::LogPlace place;
    std::string columns; // a digest of what the rows after that place were to be read by
    std::string secret;  // what everything is named with it

    bool operator==(Checkpoint const&) const = default;
};

// The file keeps it while the program does not run. What is in the file was true once, whenever the
// program or the system ended.
//
// Returns none if there is no file. Fails with `configuration` if the file cannot be read, or is
// not one of these.
parser::Result<std::optional<Checkpoint>> read_checkpoint(std::filesystem::path const& path);
parser::Result<void> write_checkpoint(std::filesystem::path const& path,
                                      Checkpoint const& checkpoint);

// Returns what Prometheus is told of each target, and whether the binlog is followed, in its text
// format.
std::string exposition_of(std::vector<Outboxes::Counts> const& targets, bool is_following);

// Replaces the file by this text, which anyone may read: never is half of it there. Its folder is
// one that the textfile collector of Prometheus' node_exporter reads.
parser::Result<void> write_metrics(std::filesystem::path const& path, std::string const& text);

} // namespace fcgi::notify
