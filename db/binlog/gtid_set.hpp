#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Each transaction of MySQL has a number, per server that it was made on; the text of a set of them
// is `uuid:1-5:7,\nuuid:1-3`, with tags (MySQL 8.3) `uuid:1-5:tag:1-2`.

namespace db {

// Returns the number up to which all of the server's own transactions are in the set; 0 if the
// first one is not.
std::uint64_t settled_number(std::string_view set, std::string_view uuid);

// Returns the highest number of @@gtid_owned, `uuid:7#31:8#32`, of any server; 0 if there is none.
std::uint64_t highest_owned(std::string_view owned);

// Returns the text of a UUID of 16 bytes, as @@server_uuid has it.
std::string uuid_text(std::string_view bytes);

} // namespace db
