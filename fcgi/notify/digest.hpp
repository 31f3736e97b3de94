#pragma once

#include <string>
#include <string_view>

namespace fcgi::notify {

// Returns the SHA-256 of the text, in hexadecimal digits.
std::string digest_of(std::string_view text);

} // namespace fcgi::notify
