#include "fcgi/connections/record.hpp"

namespace fcgi {

namespace {

std::uint8_t byte_at(std::string_view wire, std::size_t i) {
    return static_cast<std::uint8_t>(wire[i]);
}

std::uint16_t pair_at(std::string_view wire, std::size_t i) {
    return static_cast<std::uint16_t>(byte_at(wire, i) << 8 | byte_at(wire, i + 1));
}

// One byte below 128, or four with the top bit set.
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
