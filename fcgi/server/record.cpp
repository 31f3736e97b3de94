#include "fcgi/server/record.hpp"

#include "fcgi/http/http.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <climits>
#include <cstring>

#include <sys/socket.h>

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

// A multiple of eight, as FastCGI recommends, so that no padding is needed.
constexpr std::size_t record_content = 65'528;

// The limit of one system call, so that others have their turn: a megabyte, in records of two
// slices.
constexpr std::size_t slices_at_once = 32;
static_assert(slices_at_once <= IOV_MAX);

// A line end inside a value would let its author write headers of the response.
void append_value(std::string& out, std::string_view value) {
    for (char byte : value)
        out += byte == '\r' || byte == '\n' || byte == '\0' ? ' ' : byte;
}

} // namespace

std::string_view cut_front(std::string_view& bytes, std::size_t count) {
    auto front = bytes.substr(0, count);
    bytes.remove_prefix(front.size());
    return front;
}

std::optional<NameValuePair> cut_pair(std::string_view& bytes) {
    auto name = cut_length(bytes);
    auto value = name ? cut_length(bytes) : std::nullopt;
    if (!value || *name + *value > bytes.size()) return {};
    auto name_text = cut_front(bytes, *name);
    return NameValuePair{name_text, cut_front(bytes, *value)};
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

void ResponseWriter::start(std::uint16_t request_id, Response const& response) {
    write_header_lines(response);
    std::string_view const body = response.body.bytes();
    std::string_view parts[] = {header_lines_, response.headers_only ? body.substr(0, 0) : body};
    auto left = parts[0].size() + parts[1].size();

    sent_ = 0;
    bytes_left_ = 0;
    slices_.clear();
    record_headers_.clear();
    record_headers_.reserve(left / record_content + 1); // slices point at its elements
    while (left > 0) {
        auto content = std::min(left, record_content);
        left -= content;
        RecordHeader const header{.type = RecordType::output,
                                  .request_id = request_id,
                                  .content_length = static_cast<std::uint16_t>(content)};
        auto& wire = record_headers_.emplace_back(header.encode());
        add_slice({wire.data(), wire.size()});
        for (auto& part : parts) {
            auto piece = part.substr(0, content);
            if (piece.empty()) continue;
            add_slice(piece);
            part.remove_prefix(piece.size());
            content -= piece.size();
        }
    }
    end_.clear();
    append_record(end_, RecordType::output, request_id, {});
    append_end_request(end_, request_id, EndStatus::complete);
    add_slice(end_);
}

// A socket that takes less than it is offered is full: epoll(7) says so of streams.
SendResult ResponseWriter::send(int socket) {
    msghdr message{};
    message.msg_iov = &slices_[sent_];
    message.msg_iovlen = std::min(slices_.size() - sent_, slices_at_once);
    auto const last_offered = sent_ + message.msg_iovlen;
    ssize_t sent;
    do
        sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0) return errno == EAGAIN ? SendResult::blocked : SendResult::failed;
    drop_front(static_cast<std::size_t>(sent));
    if (bytes_left_ == 0) return SendResult::done;
    return sent_ == last_offered ? SendResult::in_progress : SendResult::blocked;
}

void ResponseWriter::add_slice(std::string_view bytes) {
    slices_.push_back({const_cast<char*>(bytes.data()), bytes.size()});
    bytes_left_ += bytes.size();
}

void ResponseWriter::drop_front(std::size_t bytes) {
    bytes_left_ -= bytes;
    while (sent_ < slices_.size() && bytes >= slices_[sent_].iov_len)
        bytes -= slices_[sent_++].iov_len;
    if (bytes == 0) return;
    slices_[sent_].iov_base = static_cast<char*>(slices_[sent_].iov_base) + bytes;
    slices_[sent_].iov_len -= bytes;
}

void ResponseWriter::write_header_lines(Response const& response) {
    if (!response.hand_over_signal.empty()) {
        header_lines_.assign(response.hand_over_signal).append("\r\n");
        return;
    }
    header_lines_.assign("Status: ").append(std::to_string(response.status)).append(" ");
    header_lines_.append(reason_phrase(response.status)).append("\r\n");
    for (auto const& [name, value] : response.headers) {
        header_lines_.append(name).append(": ");
        append_value(header_lines_, value);
        header_lines_.append("\r\n");
    }
    // RFC 9110 forbids a length with 204, and one with 304 would be that of another response.
    if (response.status != 204 && response.status != 304)
        header_lines_.append("Content-Length: ")
            .append(std::to_string(response.body.size()))
            .append("\r\n");
    // A browser that is led to a response must not take it for anything else, such as a page.
    header_lines_.append("X-Content-Type-Options: nosniff\r\n\r\n");
}

} // namespace fcgi
