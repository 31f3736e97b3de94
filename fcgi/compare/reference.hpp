#pragma once

#include "parser/base/error.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace comparison {

struct Reply {
    int status = 0;
    std::string content_type;
    std::string body;
};

// What is asked, and how.
struct Question {
    std::string_view path;            // and query, as they are
    std::string_view authorization;   // may be empty
    std::string_view response_format; // Strapi-Response-Format of Strapi 5; may be empty
};

// The CMS whose answers count, over plain HTTP, which is what its own process speaks. Keeps its
// connection from one question to the next. One thread.
class Reference {
  public:
    // `http://host:port`, or with a path that goes before every other. Asks nothing yet.
    static parser::Result<Reference> at(std::string_view url);

    Reference(Reference&&) noexcept;
    ~Reference();

    // A GET. Waits at most 30 seconds.
    parser::Result<Reply> get(Question const& question);

  private:
    class HttpClient;
    explicit Reference(std::unique_ptr<HttpClient> connection);

    std::unique_ptr<HttpClient> connection_;
};

} // namespace comparison
