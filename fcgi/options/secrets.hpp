#pragma once

#include <string>

namespace fcgi {

// The secrets with which the CMS signs and hashes credentials.
struct Secrets {
    std::string jwt;            // of the users-permissions plugin
    std::string api_token_salt; // of the admin
};

} // namespace fcgi
