#pragma once

#include "db/binlog/row_tag.hpp"

#include <memory>
#include <string>
#include <string_view>

#include <openssl/types.h>

namespace db {

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
    struct Free {
        void operator()(EVP_MAC_CTX* context) const;
    };

    std::string name(std::string_view text);

    std::unique_ptr<EVP_MAC_CTX, Free> mac_; // with the key, which takes longer than a name
};

} // namespace db
