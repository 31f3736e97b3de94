#pragma once

#include "fcgi/http/http_client.hpp"
#include "parser/base/error.hpp"

#include <string>
#include <string_view>
#include <utility>

namespace comparison {

using Reply = fcgi::HttpClient::Reply;

// A request to the CMS.
struct Question {
    std::string_view path;            // with the query, sent as they are
    std::string_view authorization;   // may be empty
    std::string_view response_format; // Strapi-Response-Format of Strapi 5; may be empty
};

// The CMS whose responses are the reference, over plain HTTP, which its own process speaks. It
// keeps its connection from one request to the next. One thread may use it.
class Reference {
  public:
    // Takes `http://host:port`, or with a path that goes before every other. Sends nothing yet.
    static parser::Result<Reference> at(std::string_view url);

    // Sends a GET. Connecting, writing and reading may each take up to 30 seconds.
    parser::Result<Reply> get(Question const& question);

  private:
    Reference(fcgi::HttpClient client, std::string prefix)
        : client_(std::move(client)), prefix_(std::move(prefix)) {}

    fcgi::HttpClient client_;
    std::string prefix_;
};

} // namespace comparison
