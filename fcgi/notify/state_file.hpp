#pragma once

#include "db/binlog/opening.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace fcgi::notify {

// How far all targets have been told.
struct State {
    db::LogPlace place;
    std::string columns; // a digest of what the rows after that place were to be read by
    std::string secret;  // what everything is named with it

    bool operator==(State const&) const = default;
};

// Keeps it while the program does not run. What is in the file was true once, whenever the program
// or the system ended.
class StateFile {
  public:
    explicit StateFile(std::filesystem::path path) : path_(std::move(path)) {}

    // Returns none if there is no file. Fails with `configuration` if the file cannot be read, or
    // is not one of these.
    parser::Result<std::optional<State>> read() const;
    parser::Result<void> write(State const& state) const;

  private:
    std::filesystem::path path_;
};

} // namespace fcgi::notify
