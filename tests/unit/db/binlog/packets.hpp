#pragma once

#include <boost/crc.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Events of a log as servers write them, for tests.

namespace packets {

inline std::string number(std::uint64_t value, std::size_t size) {
    std::string bytes;
    for (; bytes.size() < size; value >>= 8)
        bytes += static_cast<char>(value & 255);
    return bytes;
}

inline std::string with_checksum(std::string packet) {
    boost::crc_32_type crc;
    crc.process_bytes(packet.data(), packet.size());
    return packet + number(crc.checksum(), 4);
}

struct Header {
    unsigned kind;
    std::uint32_t end = 0;
    std::uint16_t flags = 0;
    bool checksum = true;
};

inline std::string event(Header const& header, std::string const& body) {
    auto const size = 19 + body.size() + (header.checksum ? 4 : 0);
    auto const packet = number(1, 4) + number(header.kind, 1) + number(1, 4) + number(size, 4) +
                        number(header.end, 4) + number(header.flags, 2) + body;
    return header.checksum ? with_checksum(packet) : packet;
}

inline std::string query(std::uint32_t end, std::string_view sql, bool checksum = true) {
    std::string const variables = "\x01vars";
    return event({.kind = 2, .end = end, .checksum = checksum},
                 number(7, 4) + number(0, 4) + number(4, 1) + number(0, 2) +
                     number(variables.size(), 2) + variables + std::string("shop\0", 5) +
                     std::string(sql));
}

inline std::string table_map(std::uint32_t end, std::string_view table) {
    return event({.kind = 19, .end = end}, number(99, 6) + number(1, 2) + number(4, 1) +
                                               std::string("shop\0", 5) + number(table.size(), 1) +
                                               std::string(table) + number(0, 1) + "\x02\x03\x03");
}

inline std::string rotate(std::string_view file, std::uint64_t offset, bool checksum = true) {
    return event({.kind = 4, .flags = 0x20, .checksum = checksum},
                 number(offset, 8) + std::string(file));
}

// MariaDB's.
inline std::string gtid(std::uint32_t end, unsigned flags = 0) {
    return event({.kind = 162, .end = end},
                 number(5, 8) + number(0, 4) + number(flags, 1) + number(0, 6));
}

// MySQL's.
inline std::string gtid_log(std::uint32_t end, std::string const& uuid, std::uint64_t transaction) {
    return event({.kind = 33, .end = end},
                 number(1, 1) + uuid + number(transaction, 8) + number(0, 17));
}

} // namespace packets
