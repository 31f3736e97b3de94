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

std::string ContentKey::text() const {
    auto const address = reinterpret_cast<std::uintptr_t>(permissions.get());
    std::string text(reinterpret_cast<char const*>(&address), sizeof address);
    text.reserve(text.size() + path.size() + query.size() + 2);
    text += static_cast<char>(document_format);
    return text.append(path).append("?").append(query);
}

void append_request_key(std::string& out, Request const& request) {
    out.append(request.path).append("?").append(request.query);
    out.append(1, '\0').append(request.method);
    for (RequestHeader const& header : request_headers)
        out.append(1, '\0').append(request.*header.value);
}

} // namespace fcgi
