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
    // `http://127.0.0.1:6081`, or an address of fastcgi::Client. HTTP may come `from` another
    // address of this machine.
    explicit Client(std::string const& address, std::string const& from = {});
    // `headers` have their names of HTTP. Throws std::runtime_error where there is no response.
    fastcgi::Response ask(std::string const& method, std::string const& uri,
                          fastcgi::Parameters const& headers);
    fastcgi::Response get(std::string const& uri, fastcgi::Parameters const& headers) {
        return ask("GET", uri, headers);
    }

  private:
    struct End {
        void operator()(CURL* handle) const { ::curl_easy_cleanup(handle); }
    };

    fastcgi::Response ask_by_http(std::string const& method, std::string const& uri,
                                  fastcgi::Parameters const& headers);

    std::string const address_;
    std::unique_ptr<CURL, End> http_;
    std::optional<fastcgi::Client> fastcgi_;
};

} // namespace hammer
