#pragma once

#include "fcgi/connections/record.hpp"
#include "fcgi/http/http.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/uio.h>

// A response on its way to the client, as FastCGI records.

namespace fcgi {

// Sends with one system call where the socket takes it all: header lines and body as records of
// up to 64 KiB that point into the response, then the end of the request. Reused, by one thread at
// a time.
class ResponseWriter {
  public:
    enum class Progress { done, blocked, failed }; // blocked: the socket takes no more now
    enum class Patience { none, until_shut_down };

    // Begins with `response`, which outlives its sending.
    void start(std::uint16_t request_id, Response const& response);

    // Sends what is left. `socket` is non-blocking. Who has patience is never blocked, and relies
    // on another thread to shut the socket down in time.
    Progress send(int socket, Patience patience);

  private:
    void write_header_lines(Response const& response);
    void drop_front(std::size_t bytes);

    std::string header_lines_;
    std::string end_;
    std::vector<std::array<char, RecordHeader::bytes>> record_headers_;
    std::vector<iovec> slices_;
    std::size_t sent_ = 0; // slices
};

} // namespace fcgi
