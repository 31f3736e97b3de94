#include "db/binlog/row_event.hpp"

#include <algorithm>

namespace db {

namespace {

// The types of the protocol. MySQL and MariaDB have the same numbers, but for some that only one of
// them has.
enum class FieldType : std::uint8_t {
    tiny = 1,
    short_ = 2,
    long_ = 3,
    float_ = 4,
    double_ = 5,
    null = 6,
    timestamp = 7,
    longlong = 8,
    int24 = 9,
    date = 10,
    time = 11,
    datetime = 12,
    year = 13,
    newdate = 14,
    varchar = 15,
    bit = 16,
    timestamp2 = 17,
    datetime2 = 18,
    time2 = 19,
    vector = 242,
    json = 245,
    decimal = 246,
    enumeration = 247,
    set = 248,
    tiny_blob = 249,
    medium_blob = 250,
    long_blob = 251,
    blob = 252,
    var_string = 253,
    string = 254,
    geometry = 255,
};

using Encoding = StoredColumn::Encoding;

StoredColumn integer(std::uint32_t bytes) {
    return {Encoding::integer, 0, bytes};
}

StoredColumn fixed(std::uint32_t bytes) {
    return {Encoding::other, 0, bytes};
}

// Of values that have their length before them, in as many bytes as the longest one needs.
StoredColumn counted(Encoding encoding, std::uint64_t longest) {
    return {encoding, static_cast<std::uint8_t>(longest > 255 ? 2 : 1), 0};
}

std::uint32_t decimal_bytes(std::uint32_t digits, std::uint32_t decimals) {
    constexpr std::uint32_t of_rest[] = {0, 1, 1, 2, 2, 3, 3, 4, 4, 4};
    auto const bytes = [&](std::uint32_t count) { return count / 9 * 4 + of_rest[count % 9]; };
    return bytes(digits - std::min(digits, decimals)) + bytes(decimals);
}

// CHAR, ENUM and SET: the first byte is the type; of long CHARs it has bits of the length, too.
StoredColumn string_column(Bytes& metadata) {
    auto const first = metadata.number<std::uint8_t>();
    auto const second = metadata.number<std::uint8_t>();
    auto const type = FieldType{static_cast<std::uint8_t>(first | 0x30)};
    if (type == FieldType::enumeration || type == FieldType::set) return fixed(second);
    auto const more = static_cast<std::uint32_t>(((first & 0x30) ^ 0x30) << 4);
    return counted(Encoding::other, second + more);
}

// Takes what the table map says of the column beyond its type.
std::optional<StoredColumn> column_of(FieldType type, Bytes& metadata) {
    auto const fraction_bytes = [&] { return (metadata.number<std::uint8_t>() + 1U) / 2U; };
    switch (type) {
    case FieldType::tiny:
        return integer(1);
    case FieldType::short_:
        return integer(2);
    case FieldType::int24:
        return integer(3);
    case FieldType::long_:
        return integer(4);
    case FieldType::longlong:
        return integer(8);
    case FieldType::null:
        return fixed(0);
    case FieldType::year:
        return fixed(1);
    case FieldType::date:
    case FieldType::newdate:
    case FieldType::time:
        return fixed(3);
    case FieldType::timestamp:
        return fixed(4);
    case FieldType::datetime:
        return fixed(8);
    case FieldType::float_:
    case FieldType::double_:
        return fixed(metadata.number<std::uint8_t>());
    case FieldType::timestamp2:
        return fixed(4 + fraction_bytes());
    case FieldType::datetime2:
        return fixed(5 + fraction_bytes());
    case FieldType::time2:
        return fixed(3 + fraction_bytes());
    case FieldType::varchar:
        return counted(Encoding::text, metadata.number<std::uint16_t>());
    case FieldType::var_string:
        return counted(Encoding::other, metadata.number<std::uint16_t>());
    case FieldType::bit: {
        bool const has_rest = metadata.number<std::uint8_t>() > 0;
        return fixed(metadata.number<std::uint8_t>() + has_rest);
    }
    case FieldType::decimal: {
        auto const digits = metadata.number<std::uint8_t>();
        return fixed(decimal_bytes(digits, metadata.number<std::uint8_t>()));
    }
    case FieldType::enumeration:
    case FieldType::set:
    case FieldType::string:
        return string_column(metadata);
    case FieldType::vector:
    case FieldType::json:
    case FieldType::tiny_blob:
    case FieldType::blob:
    case FieldType::medium_blob:
    case FieldType::long_blob:
    case FieldType::geometry: {
        auto const length_bytes = metadata.number<std::uint8_t>();
        if (length_bytes < 1 || length_bytes > 4) return std::nullopt;
        return StoredColumn{Encoding::other, length_bytes, 0};
    }
    }
    return std::nullopt;
}

bool has_bit(std::string_view bits, std::size_t number) {
    return (static_cast<unsigned char>(bits[number / 8]) >> number % 8 & 1) != 0;
}

std::size_t bytes_for(std::size_t bits) {
    return (bits + 7) / 8;
}

bool writes(EventKind kind) {
    using enum EventKind;
    return kind == write_rows_v1 || kind == write_rows || kind == update_rows_v1 ||
           kind == update_rows;
}

bool erases(EventKind kind) {
    using enum EventKind;
    return kind == delete_rows_v1 || kind == delete_rows || kind == update_rows_v1 ||
           kind == update_rows;
}

bool has_more_header(EventKind kind) {
    using enum EventKind;
    return kind == write_rows || kind == update_rows || kind == delete_rows;
}

} // namespace

std::optional<RowFormat> RowFormat::read(std::string_view columns) {
    Bytes bytes{columns};
    auto const types = bytes.take(bytes.counted_number());
    Bytes metadata{bytes.take(bytes.counted_number())};
    if (!bytes.enough) return std::nullopt;
    RowFormat format;
    for (char const type : types) {
        auto const column = column_of(FieldType{static_cast<std::uint8_t>(type)}, metadata);
        if (!column) return std::nullopt;
        format.columns.push_back(*column);
    }
    bool const is_whole = metadata.enough && metadata.left.empty();
    return is_whole ? std::optional(std::move(format)) : std::nullopt;
}

std::optional<std::uint64_t> table_number(LogEvent const& event) {
    Bytes bytes{event.body};
    auto const number = bytes.integer(table_number_bytes);
    return if_enough(bytes, number);
}

RowEvent::RowEvent(LogEvent const& event, RowFormat const& format)
    : format_(format), erases_(erases(event.kind)), writes_(writes(event.kind)) {
    Bytes bytes{without_checksum(event)};
    bytes.take(table_number_bytes + 2); // and flags
    if (has_more_header(event.kind)) {
        auto const size = bytes.number<std::uint16_t>(); // with its own two bytes
        bytes.take(size < 2 ? 0 : size - 2U);
    }
    auto const count = bytes.counted_number();
    auto const present = bytes.take(bytes_for(count));
    present_before_ = present_after_ = present;
    if (is_update()) present_after_ = bytes.take(bytes_for(count));
    left_ = bytes.left;
    is_well_formed_ = bytes.enough && count == format_.columns.size() && (erases_ || writes_);
}

bool RowEvent::next() {
    if (left_.empty() || !is_well_formed_) return false;
    before_.assign(format_.columns.size(), {});
    after_.assign(format_.columns.size(), {});
    is_well_formed_ =
        (!erases_ || read(before_, present_before_)) && (!writes_ || read(after_, present_after_));
    return is_well_formed_;
}

// The NULLs of an image come first, a bit for each column that is present.
bool RowEvent::read(RowImage& image, std::string_view present) {
    Bytes bytes{left_};
    std::size_t count = 0;
    for (std::size_t i = 0; i < image.size(); ++i)
        count += has_bit(present, i);
    auto const nulls = bytes.take(bytes_for(count));
    if (!bytes.enough) return false;
    std::size_t number = 0;
    for (std::size_t i = 0; i < image.size(); ++i) {
        if (!has_bit(present, i)) continue;
        Cell& cell = image[i];
        cell.is_present = true;
        if (has_bit(nulls, number++)) continue;
        auto const& column = format_.columns[i];
        auto const length =
            column.length_bytes > 0 ? bytes.integer(column.length_bytes) : column.length;
        cell.value = bytes.take(length);
    }
    left_ = bytes.left;
    // An image of nothing would never end.
    return bytes.enough && count > 0;
}

} // namespace db
