#include "fcgi/http/request_key.hpp"

#include <algorithm>

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

bool ask_the_same(Request const& one, Request const& other) {
    return one.query == other.query && one.path == other.path && one.method == other.method &&
           one.is_from_edge == other.is_from_edge && one.hand_over == other.hand_over &&
           std::ranges::all_of(request_headers, [&](RequestHeader const& header) {
               return one.*header.value == other.*header.value;
           });
}

} // namespace fcgi
