#pragma once

#include "db/binlog/change_log.hpp"

#include <boost/static_string/static_string.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <openssl/types.h>

// Names the parts of a table whose changes are told apart, so that a response can depend on some
// rows of a table instead of all.

namespace db {

// A value that a row is looked for by. Equal values are equal for every collation.
using TagValue = boost::static_string<64>;
TagValue tag_value(std::uint64_t id);
// Returns none if a collation may find the text equal to another one; all of them ignore the case
// of A to Z at most in these, of which Strapi's UIDs are made: letters, digits, `_`, `.`, `-` and
// `~`, up to 64.
std::optional<TagValue> tag_value(std::string_view text);

struct RowTag {
    enum class Aspect : std::uint8_t {
        undecoded, // rows changed, and it is not known which
        inserted,
        deleted,
        column,      // of any row, changed by an update
        value,       // a row had, has or gets this value in the column
        other_value, // likewise, for a value that is not known or has no TagValue
    };
    ChangeLog::Table const* table;
    Aspect aspect;
    std::uint16_t column = 0; // counted from 0
    TagValue value = {};
};
bool operator<(RowTag const& left, RowTag const& right);

// Names what responses depend on, for caches outside of the program: `kZ3_u0aQ`. Every process with
// the same secret gives the same names. Without it, a name does not show what it stands for, which
// may be a row that the client may not see.
// A thread that makes names has a copy of its own.
class TagNames {
  public:
    explicit TagNames(std::string_view secret);
    TagNames(TagNames const& other);

    std::string of_all();                          // of everything that is served
    std::string of(ChangeLog::Table const& table); // of any change of it
    std::string of(RowTag const& tag);

  private:
    struct FreeMac {
        void operator()(EVP_MAC_CTX* context) const;
    };

    std::string name(std::string_view text);

    std::unique_ptr<EVP_MAC_CTX, FreeMac> mac_; // with the key, which takes longer than a name
};

} // namespace db
