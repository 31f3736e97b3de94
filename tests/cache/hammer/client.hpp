#pragma once

#include "tests/fastcgi/client.hpp"

#include <memory>
#include <optional>
#include <string>

#include <curl/curl.h>

namespace hammer {

// Asks the application by FastCGI, or what is in front of it by HTTP.
class Client {
  public:
    // `http://127.0.0.1:6081`, or an address of fastcgi::Client.
    explicit Client(std::string const& address);
    // `headers` have their names of HTTP. Throws std::runtime_error where there is no answer.
    fastcgi::Answer get(std::string const& uri, fastcgi::Parameters const& headers);

  private:
    struct End {
        void operator()(CURL* handle) const { ::curl_easy_cleanup(handle); }
    };

    fastcgi::Answer get_by_http(std::string const& uri, fastcgi::Parameters const& headers);

    std::string const address_;
    std::unique_ptr<CURL, End> http_;
    std::optional<fastcgi::Client> fastcgi_;
};

} // namespace hammer
