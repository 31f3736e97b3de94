#pragma once

#include "db/binlog/row_tag.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace db {

// Names what responses depend on, for caches outside of the program: `kZ3_u0aQ`. Every process with
// the same secret gives the same names. Without it, a name does not show what it stands for, which
// may be a row that the client may not see.
class TagNames {
  public:
    explicit TagNames(std::string secret) : secret_(std::move(secret)) {}

    std::string of_all() const;                          // of everything that is served
    std::string of(ChangeLog::Table const& table) const; // of any change of it
    std::string of(RowTag const& tag) const;

  private:
    std::string name(std::string_view text) const;

    std::string secret_;
};

} // namespace db
