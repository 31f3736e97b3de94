#pragma once

#include "fcgi/notify/delivery.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fcgi::notify {

// Returns what Prometheus is told of each target, and whether the binlog is followed, in its text
// format.
std::string exposition_of(std::vector<Delivery::Counts> const& targets, bool is_following);

// Replaces the file by this text, which anyone may read: never is half of it there. Its folder is
// one that the textfile collector of Prometheus' node_exporter reads.
parser::Result<void> write_metrics(std::filesystem::path const& path, std::string const& text);

} // namespace fcgi::notify
