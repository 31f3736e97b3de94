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

// The CMS whose answers count, over plain HTTP, which is what its own process speaks. Keeps its
// connection from one question to the next. One thread.
class Reference {
  public:
    // `http://host:port`, or with a path that goes before every other. Asks nothing yet.
    static parser::Result<Reference> at(std::string_view url);

    Reference(Reference&&) noexcept;
    ~Reference();

    // A GET of path and query, as they are. `authorization` may be empty. Waits at most 30 seconds.
    parser::Result<Reply> get(std::string_view path, std::string_view authorization);

  private:
    class HttpClient;
    explicit Reference(std::unique_ptr<HttpClient> connection);

    std::unique_ptr<HttpClient> connection_;
};

} // namespace comparison
