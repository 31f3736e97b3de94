#include "fcgi/check.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <filesystem>

#include <grp.h>
#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

// What templates and examples have in the place of a secret, in lower case.
constexpr std::string_view examples[] = {
    "tobemodified", "changeme",  "change-me",       "secret",     "jwt_secret",  "your-jwt-secret",
    "mysecret",     "my-secret", "your_jwt_secret", "yoursecret", "your-secret", "supersecret"};
constexpr std::size_t shortest_secret = 16;

void check_secret(std::string_view name, std::string const& secret,
                  std::vector<Finding>& findings) {
    if (secret.empty()) return;
    auto const lower = boost::to_lower_copy(secret, std::locale::classic());
    bool const is_example = std::ranges::any_of(
        examples, [&](std::string_view example) { return lower.starts_with(example); });
    if (!is_example && secret.size() >= shortest_secret) return;
    findings.push_back({true,
                        std::string(name) + (is_example ? " is that of an example"
                                                        : " is shorter than 16 characters"),
                        "set a random one in the CMS and here: openssl rand -base64 32"});
}

void check_socket(Options const& options, std::vector<Finding>& findings) {
    constexpr std::string_view unix_address = "unix:";
    if (!options.socket_group.empty() && !::getgrnam(options.socket_group.c_str()))
        findings.push_back({true, "socket-group: there is no group " + options.socket_group,
                            "name the web server's, www-data say"});
    if (!options.listen.starts_with(unix_address)) return;
    fs::path const socket = fs::absolute(options.listen.substr(unix_address.size()));
    fs::path const folder = socket.parent_path();
    std::error_code error;
    if (fs::exists(socket, error) && !fs::is_socket(socket, error))
        findings.push_back({true, "listen: " + socket.string() + " is there and no socket",
                            "move it away, or listen elsewhere"});
    if (!fs::is_directory(folder, error))
        findings.push_back({true, "listen: there is no folder " + folder.string(),
                            "make it, writable for the account that serves"});
    else if (::access(folder.c_str(), W_OK | X_OK) != 0)
        findings.push_back({true, "listen: this account may not write in " + folder.string(),
                            "run as the account that serves, or make the folder its own"});
}

} // namespace

std::vector<Finding> check_settings(Options const& options) {
    std::vector<Finding> findings;
    for (auto const& [variable, meant] : options.unknown_variables)
        findings.push_back({true, "no option belongs to the variable " + variable,
                            meant.empty() ? "populate-fcgi --help lists the options"
                                          : "set " + meant + ", if that is meant"});
    check_secret("jwt-secret", options.secrets.jwt, findings);
    check_secret("api-token-salt", options.secrets.api_token_salt, findings);
    check_socket(options, findings);
    return findings;
}

} // namespace fcgi
