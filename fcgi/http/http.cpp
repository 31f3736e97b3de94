#include "fcgi/http/http.hpp"

#include <algorithm>

namespace fcgi {

PathAndQuery split_target(std::string_view target) {
    target = target.substr(0, target.find('#'));
    auto scheme_end = target.find("://");
    if (scheme_end < target.find_first_of("/?")) {
        target.remove_prefix(scheme_end + 3);
        target.remove_prefix(std::min(target.find_first_of("/?"), target.size()));
    }
    auto path_end = std::min(target.find('?'), target.size());
    auto path = target.substr(0, path_end);
    auto query = target.substr(std::min(path_end + 1, target.size()));
    return {path.empty() ? "/" : path, query};
}

std::string const& varying_headers() {
    static std::string const names = [] {
        std::string list;
        for (RequestHeader const& header : request_headers)
            if (header.varies) list.append(list.empty() ? "" : ", ").append(header.name);
        return list;
    }();
    return names;
}

bool ask_the_same(Request const& one, Request const& other) {
    return one.query == other.query && one.path == other.path && one.method == other.method &&
           one.is_from_edge == other.is_from_edge && one.hand_over == other.hand_over &&
           std::ranges::all_of(request_headers, [&](RequestHeader const& header) {
               return one.*header.value == other.*header.value;
           });
}

std::string_view reason_phrase(int status) {
    switch (status) {
    case 200:
        return "OK";
    case 204:
        return "No Content";
    case 304:
        return "Not Modified";
    case 400:
        return "Bad Request";
    case 401:
        return "Unauthorized";
    case 403:
        return "Forbidden";
    case 404:
        return "Not Found";
    case 405:
        return "Method Not Allowed";
    case 406:
        return "Not Acceptable";
    case 413:
        return "Content Too Large";
    case 414:
        return "URI Too Long";
    case 431:
        return "Request Header Fields Too Large";
    case 500:
        return "Internal Server Error";
    case 501:
        return "Not Implemented";
    case 502:
        return "Bad Gateway";
    case 503:
        return "Service Unavailable";
    case 504:
        return "Gateway Timeout";
    default:
        return {};
    }
}

} // namespace fcgi
