#pragma once

#include <string>
#include <string_view>

namespace fcgi {

// Returns whether an Accept-Encoding takes gzip (RFC 9110, 12.5.3): by its name or by `*`, unless
// with a weight of 0.
bool takes_gzip(std::string_view accept_encoding);

// Returns a gzip member (RFC 1952) of the bytes. Throws std::bad_alloc.
std::string gzip(std::string_view bytes);

} // namespace fcgi
