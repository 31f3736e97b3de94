#pragma once

#include "parser/base/error.hpp"

#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fcgi {

struct HttpUrl {
    bool is_encrypted = false; // https
    std::string host;          // IPv6 without brackets
    std::string port;
    std::string target; // path and query as they are sent; begins with a slash

    // Takes http:// and https:// without user, password and fragment. The message of an error does
    // not show the URL, which may contain a secret.
    static parser::Result<HttpUrl> read(std::string_view text);
    // HOST:PORT
    std::string address() const;
};

// Sends requests to one server, one after the other, and keeps the connection between them. With
// https, the server needs a certificate for its name that the system trusts. One thread may use it.
class HttpClient {
  public:
    struct ExchangeLimits {
        // Of send(), whatever the server does meanwhile.
        std::chrono::milliseconds exchange{5'000};
        std::optional<std::size_t> body = 64 * 1024; // bytes of a response; absent: any
    };
    struct OutgoingRequest {
        std::string method;
        std::string target;
        std::vector<std::pair<std::string, std::string>> headers;
        std::string body;
    };
    struct Reply {
        int status = 0;
        std::string content_type;
        std::string body;
    };

    explicit HttpClient(HttpUrl url) : HttpClient(std::move(url), ExchangeLimits()) {}
    HttpClient(HttpUrl url, ExchangeLimits limits);
    HttpClient(HttpClient&&) noexcept;
    ~HttpClient();

    // Returns a whole response, of any status, or an error. If a connection that was kept turns out
    // to be closed, the request is sent again on a new one. Returns within moments of a stop.
    parser::Result<Reply> send(OutgoingRequest const& request, std::stop_token const& stop = {});

  private:
    class Connection;
    std::unique_ptr<Connection> connection_;
};

} // namespace fcgi
