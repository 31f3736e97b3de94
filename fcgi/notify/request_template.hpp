#pragma once

#include "fcgi/http/http_client.hpp"
#include "parser/base/error.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fcgi::notify {

// A request to purge names, as text in the form of HTTP itself:
//
//     # comment
//     METHOD URL
//     Header: value
//
//     body
//
// Exactly one header, or the body, has the place of the names, {names FORM LIMIT}. FORM is how
// they are joined: `blank` (a b), `comma` (a,b) or `json` ("a","b"). LIMIT is how many of them a
// request takes. {file PATH} stands for the secret that a file holds, in headers and body.
class RequestTemplate {
  public:
    // The message of an error begins with the number of the line where there is one.
    static parser::Result<RequestTemplate> read(std::string_view text);

    HttpUrl const& url() const { return url_; }
    // How many of the names, from the first on, fit into one request: at least one.
    std::size_t fitting(std::span<std::string const> names) const;
    HttpClient::OutgoingRequest request(std::span<std::string const> names) const;

  private:
    enum class Form : std::uint8_t { blank, comma, json };
    // A text with or without a place for names.
    struct Text {
        std::string before;
        bool has_names = false;
        std::string after;
    };

    using Problem = std::optional<std::string>;
    Problem read_request_line(std::string_view line);
    Problem read_header(std::string_view line);
    Problem read_text(std::string_view text, Text& result);
    Problem read_names(std::string_view words);
    std::string join(std::span<std::string const> names) const;

    HttpUrl url_;
    std::string method_;
    std::vector<std::pair<std::string, Text>> headers_;
    Text body_;
    Form form_ = Form::blank;
    std::size_t limit_ = 0; // 0: there was no place for names yet
    bool has_secret_ = false;
};

} // namespace fcgi::notify
