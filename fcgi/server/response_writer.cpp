#include "fcgi/server/response_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>

#include <sys/socket.h>

namespace fcgi {

namespace {

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
ResponseWriter::Progress ResponseWriter::send(int socket) {
    msghdr message{};
    message.msg_iov = &slices_[sent_];
    message.msg_iovlen = std::min(slices_.size() - sent_, slices_at_once);
    auto const last_offered = sent_ + message.msg_iovlen;
    ssize_t sent;
    do
        sent = ::sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    if (sent < 0) return errno == EAGAIN ? Progress::blocked : Progress::failed;
    drop_front(static_cast<std::size_t>(sent));
    if (bytes_left_ == 0) return Progress::done;
    return sent_ == last_offered ? Progress::under_way : Progress::blocked;
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
