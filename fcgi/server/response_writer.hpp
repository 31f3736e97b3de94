#pragma once

#include "fcgi/http/http.hpp"
#include "fcgi/server/record.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/uio.h>

// A response on its way to the client, as FastCGI records.

namespace fcgi {

// Sends header lines and body as records of up to 64 KiB that point into the response, then the end
// of the request. Reused, by one thread at a time.
class ResponseWriter {
  public:
    enum class Progress {
        done,
        under_way, // the socket may take more
        blocked,   // it takes no more now
        failed,
    };

    // Begins with `response`, which has to stay where it is until it is sent.
    void start(std::uint16_t request_id, Response const& response);

    // Sends up to a megabyte of what is left, with one system call. `socket` is non-blocking.
    Progress send(int socket);
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
