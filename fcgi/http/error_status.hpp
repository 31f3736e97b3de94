#pragma once

#include "fcgi/http/hand_over.hpp"
#include "parser/base/error.hpp"

#include <string_view>

namespace fcgi {

// An error as HTTP and Strapi 4.26 have it.
struct ErrorStatus {
    int status;
    std::string_view name;    // `error.name` of the envelope
    bool has_details = true;  // Strapi sends `"details":{}`, except with BadRequestError and 500
    unsigned retry_after = 0; // seconds; 0 sends none
    // Why the CMS responds instead, if the web server can have it do so. It does not respond to
    // what is wrong with the request, nor to what would take too long: it is slower than this
    // program.
    HandOver handed_over = HandOver::none;
};

ErrorStatus error_status(parser::ErrorKind kind);

} // namespace fcgi
