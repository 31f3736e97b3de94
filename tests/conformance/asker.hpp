#pragma once

#include "tests/conformance/compare.hpp"

#include <memory>
#include <string>

namespace conformance {

// Sends recorded requests to the running application. A connection that breaks is a response
// without status, and replaced.
class Asker {
  public:
    virtual ~Asker() = default;
    virtual Response response(Record const& record, std::string const& authorization) = 0;
};

// Over its FastCGI socket.
std::unique_ptr<Asker> ask_socket(std::string const& path);

// Through a web server: `http://127.0.0.1:8080`.
std::unique_ptr<Asker> ask_web_server(std::string const& url);

// Whether a web server hands the request on, rather than answering it by itself: nginx refuses a
// path that it cannot decode and the method TRACE, and keeps everything that is not the API's.
bool passes_web_server(Record const& record);

} // namespace conformance
