#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <string>

namespace fcgi {

// The secrets with which the CMS signs and hashes credentials.
struct Secrets {
    std::string jwt;            // of the users-permissions plugin
    std::string api_token_salt; // of the admin
};

// Returns the secret in a file: all of it, without the last line break. Refuses a file that
// everybody may read, and one that can be guessed. The message begins with the path.
parser::Result<std::string> read_secret_file(std::filesystem::path const& path);

// Returns the command for root that makes such a file, which this account may read.
std::string command_to_make_secret_file(std::filesystem::path const& path);

// Overwrites the passwords of URLs on the command line, which the system shows to anyone. Call it
// after parse_options().
void hide_passwords(int argc, char** argv);

} // namespace fcgi
