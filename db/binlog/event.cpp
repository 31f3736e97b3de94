#include "db/binlog/event.hpp"

#include <boost/crc.hpp>

namespace db {

namespace {

constexpr std::size_t header_size = 19;
constexpr std::uint16_t artificial_flag = 0x20;

} // namespace

// Which events have a checksum at their end depends on the kind of the server, the file, and what
// is before them in the stream. So the bytes are looked at: 4 bytes that are the CRC of all others
// are no accident.
std::string_view without_checksum(LogEvent const& event) {
    constexpr std::size_t size = 4;
    if (event.body.size() < size) return event.body;
    boost::crc_32_type crc;
    crc.process_bytes(event.bytes.data(), event.bytes.size() - size);
    Bytes last{event.body.substr(event.body.size() - size)};
    bool const has_one = last.number<std::uint32_t>() == crc.checksum();
    return event.body.substr(0, event.body.size() - (has_one ? size : 0));
}

std::optional<LogEvent> read_event(std::string_view packet) {
    Bytes bytes{packet};
    LogEvent event{};
    event.when = bytes.number<std::uint32_t>();
    event.kind = EventKind{bytes.number<std::uint8_t>()};
    bytes.take(4); // the server's id
    event.length = bytes.number<std::uint32_t>();
    event.end = bytes.number<std::uint32_t>();
    event.artificial = (bytes.number<std::uint16_t>() & artificial_flag) != 0;
    event.bytes = packet;
    event.body = bytes.left;
    if (event.length < header_size) return std::nullopt;
    return if_enough(bytes, event);
}

std::optional<Rotation> rotation(LogEvent const& event) {
    Bytes bytes{without_checksum(event)};
    auto const offset = bytes.number<std::uint64_t>();
    return if_enough(bytes, Rotation{bytes.left, offset});
}

std::optional<ChangedTable> changed_table(LogEvent const& event) {
    Bytes bytes{event.body};
    ChangedTable table;
    table.number = bytes.integer(table_number_bytes);
    bytes.take(2); // flags
    table.database = bytes.name();
    table.name = bytes.name();
    table.columns = bytes.left;
    return if_enough(bytes, table);
}

std::optional<std::string_view> statement(LogEvent const& event) {
    Bytes bytes{without_checksum(event)};
    bytes.take(8); // connection, seconds
    auto const database = bytes.number<std::uint8_t>();
    bytes.take(2); // error
    auto const variables = bytes.number<std::uint16_t>();
    bytes.take(std::size_t{variables} + database + 1);
    return if_enough(bytes, bytes.left);
}

std::optional<TransactionNumber> transaction_number(LogEvent const& event) {
    Bytes bytes{event.body};
    bytes.take(1); // flags
    TransactionNumber transaction;
    transaction.uuid = bytes.take(16);
    transaction.number = bytes.number<std::uint64_t>();
    return if_enough(bytes, transaction);
}

std::optional<std::uint64_t> xid_number(LogEvent const& event) {
    Bytes bytes{event.body};
    auto const number = bytes.number<std::uint64_t>();
    return if_enough(bytes, number);
}

std::optional<std::string_view> checkpoint_file(LogEvent const& event) {
    Bytes bytes{event.body};
    auto const size = bytes.number<std::uint32_t>();
    auto const name = bytes.take(size);
    return if_enough(bytes, name);
}

std::optional<bool> is_xa(LogEvent const& event) {
    constexpr std::uint8_t prepared = 0x40;
    constexpr std::uint8_t completed = 0x80;
    Bytes bytes{event.body};
    bytes.take(12); // number, domain
    auto const flags = bytes.number<std::uint8_t>();
    return if_enough(bytes, (flags & (prepared | completed)) != 0);
}

bool is_one_statement(LogEvent const& event) {
    constexpr std::uint8_t standalone = 0x01;
    Bytes bytes{event.body};
    bytes.take(12); // number, domain
    return (bytes.number<std::uint8_t>() & standalone) != 0;
}

} // namespace db
