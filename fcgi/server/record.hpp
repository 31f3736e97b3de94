#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fastcgi.h>
#include <sys/uio.h>

// The wire format of FastCGI 1.0: records made of a header, content and padding; and name-value
// pairs, which the contents of some are made of; and responses in that form. Numbers and sizes are
// those of libfcgi's header.

namespace fcgi {

struct Response;

enum class RecordType : std::uint8_t {
    begin_request = FCGI_BEGIN_REQUEST,
    abort_request = FCGI_ABORT_REQUEST,
    end_request = FCGI_END_REQUEST,
    parameters = FCGI_PARAMS,
    body = FCGI_STDIN,
    output = FCGI_STDOUT,
    get_values = FCGI_GET_VALUES,
    get_values_result = FCGI_GET_VALUES_RESULT,
    unknown_type = FCGI_UNKNOWN_TYPE,
};

enum class EndStatus : std::uint8_t {
    complete = FCGI_REQUEST_COMPLETE,
    cannot_multiplex = FCGI_CANT_MPX_CONN,
    unknown_role = FCGI_UNKNOWN_ROLE,
};

struct RecordHeader {
    static constexpr std::size_t bytes = FCGI_HEADER_LEN;

    std::uint8_t version = FCGI_VERSION_1;
    RecordType type{}; // any byte, also one that the enumeration does not name
    std::uint16_t request_id = 0;
    std::uint16_t content_length = 0;
    std::uint8_t padding_length = 0;

    // `wire` holds at least `bytes` bytes.
    static RecordHeader decode(std::string_view wire);
    std::array<char, bytes> encode() const;
};

// `content` is at most `FCGI_MAX_LENGTH` bytes.
void append_record(std::string& out, RecordType type, std::uint16_t id, std::string_view content);

// Removes up to `count` bytes from the front and returns them.
std::string_view cut_front(std::string_view& bytes, std::size_t count);

struct NameValuePair {
    std::string_view name;
    std::string_view value;
};

// Removes the first pair from `bytes` and returns it. Absent if it is cut short.
std::optional<NameValuePair> cut_pair(std::string_view& bytes);

void append_end_request(std::string& out, std::uint16_t id, EndStatus status);

enum class SendResult {
    done,
    in_progress, // the socket may take more
    blocked,     // it takes no more now
    failed,
};

// Sends header lines and body as records of up to 64 KiB that point into the response, then the end
// of the request. Reused, by one thread at a time.
class ResponseWriter {
  public:
    // Begins with `response`, which has to stay where it is until it is sent.
    void start(std::uint16_t request_id, Response const& response);

    // Sends up to a megabyte of what is left, with one system call. `socket` is non-blocking.
    SendResult send(int socket);
    std::size_t bytes_left() const { return bytes_left_; }

  private:
    void add_slice(std::string_view bytes);
    void write_header_lines(Response const& response);
    void drop_front(std::size_t bytes);

    std::string header_lines_;
    std::string end_;
    std::vector<std::array<char, RecordHeader::bytes>> record_headers_;
    std::vector<iovec> slices_;
    std::size_t sent_ = 0; // slices
    std::size_t bytes_left_ = 0;
};

} // namespace fcgi
