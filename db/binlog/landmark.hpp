#pragma once

#include "db/mysql/wire.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace db {

// An event by which this binlog is told from others. Where a log ends does not tell them apart:
// RESET MASTER begins a new one under the names of the old one, and as long as it is not longer,
// the server's stream says nothing of that. Two transactions never have the same number, since a
// server counts them from its start on.
struct Landmark {
    std::string file;
    std::uint64_t offset = 0;
    std::string text; // as the server shows it: `COMMIT /* xid=7 */`
};

// Returns whether the name can stand between quotes.
bool is_landmark_file(std::string_view name);

// Asks where the binlog ends, and for the event of the landmark. Lives until the answer has come.
class EndQuestion {
  public:
    EndQuestion(std::string_view end_question, std::optional<Landmark> landmark);

    std::string const& text() const { return text_; }
    // Returns whether the answer, or the error, that the wire has got is of the log with the
    // landmark.
    bool is_of_same_log(Wire& wire) const;

  private:
    std::optional<Landmark> landmark_;
    std::string text_;
};

} // namespace db
