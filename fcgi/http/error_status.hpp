#pragma once

#include "parser/base/error.hpp"

#include <string_view>

namespace fcgi {

// What an error is in HTTP, as Strapi 4.26 answers it.
struct ErrorStatus {
    int status;
    std::string_view name;    // `error.name` of the envelope
    bool has_details = true;  // Strapi sends `"details":{}`, but not with these two
    unsigned retry_after = 0; // seconds; 0 sends none
};

ErrorStatus error_status(parser::ErrorKind kind);

} // namespace fcgi
