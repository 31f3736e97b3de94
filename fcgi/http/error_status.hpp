#pragma once

#include "parser/base/error.hpp"

#include <string_view>

namespace fcgi {

// An error as HTTP and Strapi 4.26 have it.
struct ErrorStatus {
    int status;
    std::string_view name;    // `error.name` of the envelope
    bool has_details = true;  // Strapi sends `"details":{}`, except with BadRequestError and 500
    unsigned retry_after = 0; // seconds; 0 sends none
};

ErrorStatus error_status(parser::ErrorKind kind);

} // namespace fcgi
