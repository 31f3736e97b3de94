#include "fcgi/http/request_key.hpp"

namespace fcgi {

std::string const& varying_headers() {
    static std::string const names = [] {
        std::string list;
        for (RequestHeader const& header : request_headers)
            if (header.varies) list.append(list.empty() ? "" : ", ").append(header.name);
        return list;
    }();
    return names;
}

void append_content_key(std::string& out, std::string_view path, std::string_view query) {
    out.append(path).append("?").append(query);
}

void append_request_key(std::string& out, Request const& request) {
    append_content_key(out, request.path, request.query);
    out.append(1, '\0').append(request.method);
    for (RequestHeader const& header : request_headers)
        out.append(1, '\0').append(request.*header.value);
}

} // namespace fcgi
