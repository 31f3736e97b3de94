#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The wire format of FastCGI 1.0: records made of a header, content and padding; and name-value
// pairs, which the contents of some are made of.

namespace fcgi {

enum class RecordType : std::uint8_t {
    begin_request = 1,
    abort_request = 2,
    end_request = 3,
    parameters = 4,
    body = 5,   // FCGI_STDIN
    output = 6, // FCGI_STDOUT
    get_values = 9,
    get_values_result = 10,
    unknown_type = 11,
};

enum class EndStatus : std::uint8_t { complete = 0, cannot_multiplex = 1, unknown_role = 3 };

constexpr std::uint16_t responder_role = 1;
constexpr std::uint8_t keep_connection_flag = 1;
constexpr std::size_t begin_body_bytes = 8;
constexpr std::size_t max_record_content = 65'535;

struct RecordHeader {
    static constexpr std::size_t bytes = 8;

    std::uint8_t version = 1;
    RecordType type{}; // any byte, also one that the enumeration does not name
    std::uint16_t request_id = 0;
    std::uint16_t content_length = 0;
    std::uint8_t padding_length = 0;

    // `wire` holds at least `bytes` bytes.
    static RecordHeader decode(std::string_view wire);
    std::array<char, bytes> encode() const;
};

// `content` is at most `max_record_content` bytes.
void append_record(std::string& out, RecordType type, std::uint16_t id, std::string_view content);

// Takes up to `count` bytes from the front.
std::string_view cut_front(std::string_view& bytes, std::size_t count);

struct Pair {
    std::string_view name;
    std::string_view value;
};

// Takes the pair in front of `bytes`. Absent if it is cut short.
std::optional<Pair> cut_pair(std::string_view& bytes);

void append_end_request(std::string& out, std::uint16_t id, EndStatus status);

} // namespace fcgi
