#include "tests/properties/request.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cctype>
#include <exception>

namespace properties {

namespace json = boost::json;

namespace {

// `Accept-Language` -> `HTTP_ACCEPT_LANGUAGE`
std::string parameter_name(std::string const& header) {
    std::string name = "HTTP_";
    for (char const c : header)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

// The shell's quoting for any bytes.
std::string shell_quoted(std::string_view text) {
    constexpr char digits[] = "0123456789abcdef";
    std::string quoted = "$'";
    for (char const c : text) {
        auto const byte = static_cast<unsigned char>(c);
        if (byte >= ' ' && byte < 0x7F && c != '\'' && c != '\\')
            quoted += c;
        else
            quoted.append("\\x").append({digits[byte / 16], digits[byte % 16]});
    }
    return quoted += '\'';
}

json::value parse(std::string_view text, boost::system::error_code& error) {
    return json::parse(text, error, {}, {.max_depth = 1'000});
}

// `{"data":null,"error":{"status":400,…}}` and nothing else is an error.
std::string contradiction(int status, json::value const& body) {
    auto const* object = body.if_object();
    auto const* error = object ? object->if_contains("error") : nullptr;
    if (status < 400) return error ? "an error with a status that is none" : "";
    auto const* members = error ? error->if_object() : nullptr;
    if (!members) return "no error with the status of one";
    auto const* written = members->if_contains("status");
    if (!written || *written != status) return "another status in the body";
    for (auto const* key : {"name", "message"})
        if (auto const* text = members->if_contains(key); !text || !text->is_string())
            return std::string("an error without ") + key;
    return {};
}

} // namespace

Request request_of(conformance::Record const& record, conformance::Secrets const& secrets) {
    Request request{.method = record.method, .url = record.path, .auth = record.auth};
    for (auto const& [name, value] : record.headers)
        request.headers.emplace_back(parameter_name(name), value);
    if (auto const authorization = secrets.authorization(record.auth); !authorization.empty())
        request.headers.emplace_back("HTTP_AUTHORIZATION", authorization);
    return request;
}

std::string reproduction(Request const& request) {
    std::string command = "populate-fcgi get " + shell_quoted(request.url);
    if (request.auth != "public") command += "  # as " + request.auth;
    if (request.method != "GET") command += "  # " + request.method;
    return command;
}

fastcgi::Response Application::response(Request const& request) {
    try {
        if (!client_) client_ = fastcgi::Client::connect(address_);
        return client_->ask(fastcgi::request_of(request.method, request.url, request.headers));
    } catch (std::exception const& error) {
        client_.reset();
        fastcgi::Response none;
        none.status = 0;
        none.body = error.what();
        return none;
    }
}

std::string fault(Request const& request, fastcgi::Response const& response) {
    if (response.status == 0) return "no answer: " + response.body;
    bool const is_read = request.method == "GET" || request.method == "HEAD";
    bool const not_implemented = response.status == 501 && !is_read;
    if (response.status >= 500 && response.status != 503 && response.status != 504 &&
        !not_implemented)
        return "status " + std::to_string(response.status);
    auto const type = response.header("Content-Type");
    if (request.method == "HEAD" || response.status == 204)
        return response.body.empty() ? "" : "a body where there is none";
    if (auto const length = response.header("Content-Length");
        !length.empty() && length != std::to_string(response.body.size()))
        return "Content-Length is not that of the body";
    if (type != "application/json; charset=utf-8")
        return is_read ? "another Content-Type: " + type : "";
    boost::system::error_code error;
    auto const body = parse(response.body, error);
    if (error) return "no JSON: " + error.message();
    return contradiction(response.status, body);
}

} // namespace properties
