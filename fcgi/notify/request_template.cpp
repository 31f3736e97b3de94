#include "fcgi/notify/request_template.hpp"

#include "fcgi/notify/secret_file.hpp"
#include "parser/base/json_string.hpp"
#include "parser/base/units.hpp"

#include <boost/algorithm/string/predicate.hpp>

#include <algorithm>

namespace fcgi::notify {

namespace {

constexpr std::size_t most_names = 1'000;
constexpr std::size_t most_bytes = 4'096; // of joined names: more than a header may often have

constexpr char expected_request[] =
    "expected METHOD URL, such as POST https://api.example.org/purge";
constexpr char expected_header[] = "expected Header: value, or an empty line before the body";
constexpr char expected_names[] =
    "expected {names blank LIMIT}, {names comma LIMIT} or {names json LIMIT}, with a limit from 1 "
    "to 1000, once, in a header or the body";

bool is_token(std::string_view text) {
    constexpr std::string_view parts = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                       "0123456789!#$%&'*+-.^_`|~";
    return !text.empty() && text.find_first_not_of(parts) == text.npos;
}

bool has_control_character(std::string_view text) {
    return std::ranges::any_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

std::string_view trimmed(std::string_view text) {
    while (text.starts_with(' '))
        text.remove_prefix(1);
    while (text.ends_with(' '))
        text.remove_suffix(1);
    return text;
}

// Takes the first line off the text.
std::string_view take_line(std::string_view& text) {
    auto const end = std::min(text.find('\n'), text.size());
    auto line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// Where it is known that nobody listens.
bool is_this_machine(std::string const& host) {
    return host == "localhost" || host == "::1" || host == "127.0.0.1";
}

} // namespace

parser::Result<RequestTemplate> RequestTemplate::read(std::string_view text) {
    RequestTemplate result;
    auto const problem = [](std::size_t line, std::string const& what) {
        return parser::Error{parser::ErrorKind::configuration,
                             (line ? "line " + std::to_string(line) + ": " : "") + what};
    };
    bool has_body = false;
    for (std::size_t number = 1; !text.empty() && !has_body; ++number) {
        auto const line = take_line(text);
        if (line.starts_with('#')) continue;
        Problem wrong;
        if (!result.method_.empty() && line.empty())
            has_body = true;
        else if (has_control_character(line))
            wrong = "expected no control characters";
        else if (!result.method_.empty())
            wrong = result.read_header(line);
        else if (!line.empty())
            wrong = result.read_request_line(line);
        if (wrong) return problem(number, *wrong);
    }
    if (result.method_.empty()) return problem(0, expected_request);
    // The line end of the last line is that of the file.
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (auto const wrong = result.read_text(text, result.body_)) return problem(0, *wrong);
    if (result.limit_ == 0) return problem(0, expected_names);
    if (result.has_secret_ && !result.url_.is_encrypted && !is_this_machine(result.url_.host))
        return problem(0, "expected https://, because the request has a secret");
    return result;
}

RequestTemplate::Problem RequestTemplate::read_request_line(std::string_view line) {
    auto const blank = std::min(line.find(' '), line.size());
    auto const method = line.substr(0, blank);
    if (!std::ranges::all_of(method, [](char c) { return c >= 'A' && c <= 'Z'; }) || method.empty())
        return expected_request;
    auto url = HttpUrl::read(trimmed(line.substr(blank)));
    if (!url) return expected_request + ("; " + url.error().message);
    method_ = method;
    url_ = *std::move(url);
    return std::nullopt;
}

RequestTemplate::Problem RequestTemplate::read_header(std::string_view line) {
    auto const colon = std::min(line.find(':'), line.size());
    auto const name = line.substr(0, colon);
    if (!is_token(name) || colon == line.size()) return expected_header;
    for (char const* const own : {"Host", "Content-Length", "Transfer-Encoding", "Connection"})
        if (boost::iequals(name, own)) return std::string(own) + " is set already";
    headers_.emplace_back(name, Text());
    return read_text(trimmed(line.substr(colon + 1)), headers_.back().second);
}

// Other braces, those of JSON, are text.
RequestTemplate::Problem RequestTemplate::read_text(std::string_view text, Text& result) {
    constexpr std::string_view names = "{names";
    constexpr std::string_view file = "{file ";
    auto* out = &result.before;
    while (!text.empty()) {
        auto const end = text.find('}');
        if (end != text.npos && text.starts_with(file)) {
            auto const path = trimmed(text.substr(file.size(), end - file.size()));
            if (!path.starts_with('/')) return "expected {file /PATH}, with the whole path";
            auto const secret = read_secret(std::string(path));
            if (!secret) return secret.error().message;
            *out += *secret;
            has_secret_ = true;
            text.remove_prefix(end + 1);
        } else if (end != text.npos && text.starts_with(names)) {
            if (auto wrong = read_names(text.substr(names.size(), end - names.size())))
                return wrong;
            result.has_names = true;
            out = &result.after;
            text.remove_prefix(end + 1);
        } else {
            *out += text.front();
            text.remove_prefix(1);
        }
    }
    return std::nullopt;
}

RequestTemplate::Problem RequestTemplate::read_names(std::string_view words) {
    words = trimmed(words);
    auto const blank = std::min(words.find(' '), words.size());
    auto const form = words.substr(0, blank);
    auto const limit = parser::read_number(trimmed(words.substr(blank)));
    if (limit_ != 0 || !limit || *limit == 0 || *limit > most_names) return expected_names;
    if (form == "blank")
        form_ = Form::blank;
    else if (form == "comma")
        form_ = Form::comma;
    else if (form == "json")
        form_ = Form::json;
    else
        return expected_names;
    limit_ = *limit;
    return std::nullopt;
}

std::size_t RequestTemplate::fitting(std::span<std::string const> names) const {
    auto const separators = form_ == Form::json ? 3u : 1u;
    std::size_t count = 0;
    for (std::size_t bytes = 0; count < names.size() && count < limit_; ++count) {
        bytes += names[count].size() + separators;
        if (bytes > most_bytes && count > 0) break;
    }
    return count;
}

std::string RequestTemplate::join(std::span<std::string const> names) const {
    std::string text;
    for (auto const& name : names) {
        if (!text.empty()) text += form_ == Form::blank ? ' ' : ',';
        if (form_ == Form::json)
            parser::append_json_string(text, name);
        else
            text += name;
    }
    return text;
}

HttpClient::OutgoingRequest RequestTemplate::request(std::span<std::string const> names) const {
    auto const joined = join(names);
    auto const filled = [&joined](Text const& text) {
        return text.has_names ? text.before + joined + text.after : text.before;
    };
    HttpClient::OutgoingRequest request{method_, url_.target, {}, filled(body_)};
    for (auto const& [name, text] : headers_)
        request.headers.emplace_back(name, filled(text));
    return request;
}

} // namespace fcgi::notify
