#include "fcgi/connections/record.hpp"

namespace fcgi {

namespace {

std::uint8_t byte_at(std::string_view wire, std::size_t i) {
    return static_cast<std::uint8_t>(wire[i]);
}

std::uint16_t pair_at(std::string_view wire, std::size_t i) {
    return static_cast<std::uint16_t>(byte_at(wire, i) << 8 | byte_at(wire, i + 1));
}

} // namespace

RecordHeader RecordHeader::decode(std::string_view wire) {
    return {byte_at(wire, 0), RecordType{byte_at(wire, 1)}, pair_at(wire, 2), pair_at(wire, 4),
            byte_at(wire, 6)};
}

std::array<char, RecordHeader::bytes> RecordHeader::encode() const {
    auto high = [](std::uint16_t value) { return static_cast<char>(value >> 8); };
    auto low = [](std::uint16_t value) { return static_cast<char>(value & 0xFF); };
    return {static_cast<char>(version),
            static_cast<char>(type),
            high(request_id),
            low(request_id),
            high(content_length),
            low(content_length),
            static_cast<char>(padding_length),
            0};
}

void append_record(std::string& out, RecordType type, std::uint16_t id, std::string_view content) {
    RecordHeader header{.type = type, .request_id = id};
    header.content_length = static_cast<std::uint16_t>(content.size());
    auto wire = header.encode();
    out.append(wire.data(), wire.size()).append(content);
}

void append_end_request(std::string& out, std::uint16_t id, EndStatus status) {
    std::string content(8, '\0');
    content[4] = static_cast<char>(status);
    append_record(out, RecordType::end_request, id, content);
}

} // namespace fcgi
