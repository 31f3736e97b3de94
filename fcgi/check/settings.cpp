#include "fcgi/check/check.hpp"
#include "parser/base/closest_name.hpp"

#include <algorithm>
#include <filesystem>

#include <grp.h>
#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

void check_socket(Options const& options, std::vector<Finding>& findings) {
    constexpr std::string_view unix_address = "unix:";
    if (!options.socket_group.empty() && !::getgrnam(options.socket_group.c_str()))
        findings.push_back({Finding::problem,
                            "socket-group: there is no group " + options.socket_group,
                            "name the group of the web server, for example www-data"});
    if (!options.listen.starts_with(unix_address)) return;
    fs::path const socket = fs::absolute(options.listen.substr(unix_address.size()));
    fs::path const folder = socket.parent_path();
    std::error_code error;
    if (fs::exists(socket, error) && !fs::is_socket(socket, error))
        findings.push_back({Finding::problem,
                            "listen: " + socket.string() + " exists and is not a socket",
                            "move it away, or listen elsewhere"});
    if (!fs::is_directory(folder, error))
        findings.push_back({Finding::problem, "listen: there is no folder " + folder.string(),
                            "create it, writable for the account that runs populate-fcgi"});
    else if (::access(folder.c_str(), W_OK | X_OK) != 0)
        findings.push_back({Finding::problem,
                            "listen: this account may not write in " + folder.string(),
                            "run the check as the account that runs populate-fcgi, or make that "
                            "account the owner of the folder"});
}

} // namespace

std::vector<Finding> check_settings(Options const& options) {
    std::vector<Finding> findings;
    for (auto const& [variable, meant] : options.unknown_variables)
        findings.push_back({Finding::problem,
                            "the environment variable " + variable + " belongs to no option",
                            meant.empty() ? "populate-fcgi --help-all lists the options"
                                          : "set " + meant + ", if you mean that"});
    for (auto const& [name, instead] : options.ended)
        findings.push_back({Finding::note,
                            "the setting " + std::string(name) + " has ended and does nothing",
                            "remove it; " + std::string(instead)});
    check_socket(options, findings);
    return findings;
}

std::vector<Finding> check_uids(Options const& options, db::Schema const& schema) {
    std::vector<std::string> types, actions;
    for (auto const& [uid, type] : schema.types)
        if (type->kind != db::ContentType::Kind::component) {
            types.push_back(uid);
            for (auto const* action : {"find", "findOne", "count", "me"})
                actions.push_back(uid + '.' + action);
        }
    std::vector<Finding> findings;
    auto const check = [&](std::string const& option, std::string const& uid,
                           std::vector<std::string> const& known) {
        if (std::ranges::find(known, uid) != known.end()) return;
        auto const meant = closest_name(uid, known);
        findings.push_back({Finding::problem, option + ": no content type has the UID " + uid,
                            meant.empty() ? "UIDs have the form api::article.article"
                                          : "write " + meant + ", if you mean that"});
    };
    for (std::string const& uid : options.handed_over)
        check("handed-over", uid, std::ranges::count(uid, '.') > 1 ? actions : types);
    for (auto const& [uid, value] : options.cache_control)
        if (uid != "*") check("cache-control", uid, types);
    return findings;
}

} // namespace fcgi
