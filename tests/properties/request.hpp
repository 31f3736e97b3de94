#pragma once

#include "tests/conformance/record.hpp"
#include "tests/fastcgi/client.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Requests that properties are asked about, and the application that answers them.

namespace properties {

struct Request {
    std::string method = "GET";
    std::string url; // path and query, raw
    std::string auth = "public";
    fastcgi::Parameters headers = {}; // as FastCGI parameters, Authorization too
};

Request request_of(conformance::Record const& record, conformance::Secrets const& secrets);

// The shell command that asks for the same; the test tokens are those of
// tests/data/ks/secrets.json.
std::string reproduction(Request const& request);

// One connection. If it breaks, the response has status 0 and says how in its body, and the next
// request gets a new connection.
class Application {
  public:
    explicit Application(std::string const& socket) : address_("unix:" + socket) {}

    fastcgi::Response response(Request const& request);
    fastcgi::Response get(std::string_view url) { return response({.url = std::string(url)}); }

  private:
    std::string address_;
    std::optional<fastcgi::Client> client_;
};

// Returns what is wrong with a response whatever was asked, in one line; empty if nothing is. A
// server error is wrong, but for 503 and 504, and so is JSON that is none or that contradicts the
// status.
std::string fault(Request const& request, fastcgi::Response const& response);

} // namespace properties
