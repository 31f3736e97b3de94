#include "fcgi/check/check.hpp"
#include "fcgi/check/project_scripts.hpp"
#include "parser/base/closest_name.hpp"

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

// What the CMS reads of its .env, unless its environment has another.
void compare_secret(std::string const& option, std::string const& ours,
                    std::filesystem::path const& project, std::string const& name,
                    std::vector<Finding>& findings) {
    auto const variables = environment_file(project);
    auto const theirs = variables.find(name);
    if (ours.empty() || theirs == variables.end() || theirs->second == ours) return;
    findings.push_back({false, option + " is not " + name + " of " + (project / ".env").string(),
                        "set it to that, unless the environment of the CMS has another"});
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
    if (options.schema.empty()) return findings;
    auto const project = project_folder(options.schema);
    compare_secret("jwt-secret", options.secrets.jwt, project, "JWT_SECRET", findings);
    compare_secret("api-token-salt", options.secrets.api_token_salt, project, "API_TOKEN_SALT",
                   findings);
    return findings;
}

std::vector<Finding> check_uids(Options const& options, db::Schema const& schema) {
    std::vector<std::string> known;
    for (auto const& [uid, type] : schema.types)
        if (type->kind != db::ContentType::Kind::component) known.push_back(uid);
    std::vector<Finding> findings;
    auto const check = [&](std::string const& option, std::string const& uid) {
        if (std::ranges::find(known, uid) != known.end()) return;
        auto const meant = closest_name(uid, known);
        findings.push_back({true, option + ": no content type has the UID " + uid,
                            meant.empty() ? "UIDs are as api::article.article"
                                          : "write " + meant + ", if that is meant"});
    };
    for (std::string const& uid : options.serve_types)
        check("serve-types", uid);
    for (auto const& [uid, value] : options.cache_control)
        if (uid != "*") check("cache-control", uid);
    return findings;
}

} // namespace fcgi
