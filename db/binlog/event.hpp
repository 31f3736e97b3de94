#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

// Reads the events of the binlog: where they end, which tables they change, and what they are for.
// db/binlog/row_event.hpp reads which rows.
// They are read from the packets themselves: libmariadb's own parser (3.3 to 3.4) gets names and
// positions of ROTATE wrong, ends at kinds that it does not know (MySQL's compressed transactions,
// tagged GTIDs), and copies rows that nobody asked for.

namespace db {

inline constexpr std::size_t table_number_bytes = 6;

// Takes bytes from the front, and knows in the end whether there were enough.
struct Bytes {
    std::string_view left;
    bool enough = true;

    std::string_view take(std::size_t count) {
        enough = enough && count <= left.size();
        if (!enough) return {};
        auto const taken = left.substr(0, count);
        left.remove_prefix(count);
        return taken;
    }
    template<std::unsigned_integral T>
    T number() {
        return static_cast<T>(integer(sizeof(T)));
    }
    // Takes a number of the protocol's variable length; NULL, which it may stand for, is not
    // enough.
    std::uint64_t counted_number() {
        auto const first = number<std::uint8_t>();
        switch (first) {
        case 0xfb:
            enough = false;
            return 0;
        case 0xfc:
            return number<std::uint16_t>();
        case 0xfd:
            return integer(3);
        case 0xfe:
            return number<std::uint64_t>();
        default:
            return first;
        }
    }
    // Takes a little-endian number of so many bytes, at most 8.
    std::uint64_t integer(std::size_t size) {
        std::uint64_t number = 0;
        auto const bytes = take(size);
        for (auto at = bytes.rbegin(); at != bytes.rend(); ++at)
            number = number << 8 | static_cast<unsigned char>(*at);
        return number;
    }
    // Takes a name, which has its length before it and a 0 after it.
    std::string_view name() {
        auto const text = take(number<std::uint8_t>());
        take(1);
        return text;
    }
};

template<class T>
std::optional<T> if_enough(Bytes const& bytes, T const& value) {
    return bytes.enough ? std::optional(value) : std::nullopt;
}

// The numbers are those of the protocol. A kind that is missing here has no known meaning.
enum class EventKind : std::uint8_t {
    query = 2,
    stop = 3,
    rotate = 4,
    intvar = 5,
    append_block = 9,
    delete_file = 11,
    rand = 13,
    user_var = 14,
    format_description = 15,
    xid = 16,
    begin_load_query = 17,
    execute_load_query = 18,
    table_map = 19,
    write_rows_v1 = 23,
    update_rows_v1 = 24,
    delete_rows_v1 = 25,
    heartbeat = 27,
    rows_query = 29,
    write_rows = 30,
    update_rows = 31,
    delete_rows = 32,
    // MySQL's
    gtid_log = 33,
    anonymous_gtid_log = 34,
    previous_gtids = 35,
    xa_prepare = 38,
    partial_update_rows = 39,
    transaction_payload = 40,
    heartbeat_v2 = 41,
    gtid_tagged_log = 42,
    // MariaDB's
    annotate_rows = 160,
    binlog_checkpoint = 161,
    gtid = 162,
    gtid_list = 163,
    write_rows_compressed_v1 = 166,
    update_rows_compressed_v1 = 167,
    delete_rows_compressed_v1 = 168,
    write_rows_compressed = 169,
    update_rows_compressed = 170,
    delete_rows_compressed = 171,
};

// Its views lead into the packet that it was read from.
struct LogEvent {
    EventKind kind;
    std::uint32_t when;     // in seconds since 1970
    bool artificial;        // made for this stream, not in the binlog
    std::uint32_t length;   // in the binlog
    std::uint32_t end;      // its offset in the file; MariaDB since 11.4 has 0 within a transaction
    std::string_view bytes; // the whole event
    std::string_view body;  // after the header; with its checksum, if it has one
};

// This and the functions below return none if the packet is malformed.
std::optional<LogEvent> read_event(std::string_view packet);

struct Rotation {
    std::string_view file;
    std::uint64_t offset;
};
std::optional<Rotation> rotation(LogEvent const& event);

// Returns the body without its checksum.
std::string_view without_checksum(LogEvent const& event);

struct ChangedTable {
    std::uint64_t number; // by which the events with its rows name it
    std::string_view database;
    std::string_view name;
    std::string_view columns; // how they are stored; for RowFormat
};
std::optional<ChangedTable> changed_table(LogEvent const& event);

std::optional<std::string_view> statement(LogEvent const& event);

// What MySQL's `gtid_log` says.
struct TransactionNumber {
    std::string_view uuid; // 16 bytes
    std::uint64_t number;
};
std::optional<TransactionNumber> transaction_number(LogEvent const& event);

// Returns the number of the transaction that an `xid` ends.
std::optional<std::uint64_t> xid_number(LogEvent const& event);

// Returns the oldest file of which something may be about to become visible, as MariaDB's
// `binlog_checkpoint` names it.
std::optional<std::string_view> checkpoint_file(LogEvent const& event);

// Returns whether the transaction is prepared, or ended, by XA, as MariaDB's `gtid` says.
std::optional<bool> is_xa(LogEvent const& event);
// Returns whether the transaction is one statement, which ends it, as the same event says.
bool is_one_statement(LogEvent const& event);

} // namespace db
