#include "fcgi/server/record.hpp"

#include <bit>
#include <cstring>

namespace fcgi {

namespace {

std::uint16_t joined(std::uint8_t high, std::uint8_t low) {
    return static_cast<std::uint16_t>(high << 8 | low);
}

std::uint8_t high_byte(std::uint16_t value) {
    return static_cast<std::uint8_t>(value >> 8);
}

std::uint8_t low_byte(std::uint16_t value) {
    return static_cast<std::uint8_t>(value & 0xFF);
}

// A length is one byte below 128, or four with the top bit set.
std::optional<std::size_t> cut_length(std::string_view& bytes) {
    if (bytes.empty()) return {};
    bool const is_long = (bytes[0] & 0x80) != 0;
    if (bytes.size() < (is_long ? 4U : 1U)) return {};
    std::size_t length = 0;
    for (char byte : cut_front(bytes, is_long ? 4 : 1))
        length = length << 8 | static_cast<unsigned char>(byte);
    return length & 0x7FFF'FFFF;
}

} // namespace

std::string_view cut_front(std::string_view& bytes, std::size_t count) {
    auto front = bytes.substr(0, count);
    bytes.remove_prefix(front.size());
    return front;
}

std::optional<Pair> cut_pair(std::string_view& bytes) {
    auto name = cut_length(bytes);
    auto value = name ? cut_length(bytes) : std::nullopt;
    if (!value || *name + *value > bytes.size()) return {};
    auto name_text = cut_front(bytes, *name);
    return Pair{name_text, cut_front(bytes, *value)};
}

RecordHeader RecordHeader::decode(std::string_view wire) {
    FCGI_Header header;
    static_assert(sizeof header == bytes);
    std::memcpy(&header, wire.data(), bytes);
    return {header.version, RecordType{header.type}, joined(header.requestIdB1, header.requestIdB0),
            joined(header.contentLengthB1, header.contentLengthB0), header.paddingLength};
}

std::array<char, RecordHeader::bytes> RecordHeader::encode() const {
    FCGI_Header const header{
        .version = version,
        .type = static_cast<std::uint8_t>(type),
        .requestIdB1 = high_byte(request_id),
        .requestIdB0 = low_byte(request_id),
        .contentLengthB1 = high_byte(content_length),
        .contentLengthB0 = low_byte(content_length),
        .paddingLength = padding_length,
        .reserved = 0,
    };
    return std::bit_cast<std::array<char, bytes>>(header);
}

void append_record(std::string& out, RecordType type, std::uint16_t id, std::string_view content) {
    RecordHeader header{.type = type, .request_id = id};
    header.content_length = static_cast<std::uint16_t>(content.size());
    auto wire = header.encode();
    out.append(wire.data(), wire.size()).append(content);
}

void append_end_request(std::string& out, std::uint16_t id, EndStatus status) {
    FCGI_EndRequestBody body{};
    body.protocolStatus = static_cast<std::uint8_t>(status);
    append_record(out, RecordType::end_request, id,
                  {reinterpret_cast<char const*>(&body), sizeof body});
}

} // namespace fcgi
