#pragma once

#include "fcgi/http.hpp"
#include "fcgi/record.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/uio.h>

// A response on its way to the client, as FastCGI records.

namespace fcgi {

// Sends with one system call where the socket takes it all: header lines and body as records of
// up to 64 KiB that point into the response, then the end of the request. Reused, for one thread.
class ResponseWriter {
  public:
    enum class Patience { none, until_shut_down };

    // `socket` is non-blocking. False: the client is gone or, without patience, would not take it
    // all at once. Whoever has patience relies on another thread to shut the socket down in time.
    bool send(int socket, std::uint16_t request_id, Response const& response, Patience patience);

  private:
    void lay_out(std::uint16_t request_id, Response const& response);
    void write_header_lines(Response const& response);

    std::string header_lines_;
    std::string end_;
    std::vector<std::array<char, RecordHeader::bytes>> record_headers_;
    std::vector<iovec> slices_;
};

} // namespace fcgi
