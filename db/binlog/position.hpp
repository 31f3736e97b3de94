#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// How far a log has come, as one number: on MariaDB a place in it, on MySQL the number of a
// transaction.

namespace db {

// A place in the binlog: the number of a file and an offset in it, as one number that grows with
// the binlog.
using Position = std::uint64_t;

constexpr unsigned offset_bits = 40; // one terabyte per file

constexpr Position position_in(std::uint64_t file, std::uint64_t offset) {
    return file << offset_bits | offset;
}
constexpr std::uint64_t file_of(Position position) {
    return position >> offset_bits;
}

// Returns the 7 of `bin.000007`; none if there is no number, or one of more than 24 bits.
std::optional<std::uint64_t> file_number(std::string_view name);

// Reads a position from the two columns of SHOW MASTER STATUS.
std::optional<Position> position_of(std::string_view file, std::string_view offset);

// Each transaction of MySQL has a number, per server that it was made on; the text of a set of them
// is `uuid:1-5:7,\nuuid:1-3`, with tags (MySQL 8.3) `uuid:1-5:tag:1-2`.

// Returns the number up to which all of the server's own transactions are in the set; 0 if the
// first one is not.
std::uint64_t settled_number(std::string_view set, std::string_view uuid);

// Returns the highest number of @@gtid_owned, `uuid:7#31:8#32`, of any server; 0 if there is none.
std::uint64_t highest_owned(std::string_view owned);

// Returns the text of a UUID of 16 bytes, as @@server_uuid has it.
std::string uuid_text(std::string_view bytes);

} // namespace db
