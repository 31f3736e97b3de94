#pragma once

#include <string>

namespace fcgi {

// What the CMS signs and hashes credentials with.
struct Secrets {
    std::string jwt;            // of the users-permissions plugin
    std::string api_token_salt; // of the admin
};

} // namespace fcgi
