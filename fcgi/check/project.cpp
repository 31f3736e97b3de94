#include "fcgi/check/check.hpp"
#include "fcgi/check/project_scripts.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <set>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

// A name in a file of config/, the option that stands for it, and the value of that as JavaScript
// would have it: lists as their sorted texts, with a comma between.
struct ProjectSetting {
    std::string file; // without its ending
    std::string name;
    std::string option;
    std::string value;
};

std::string sorted_list(std::vector<std::string> const& texts) {
    return boost::join(std::set<std::string>(texts.begin(), texts.end()), ",");
}

std::vector<ProjectSetting> settings(Options const& options) {
    auto const& max = options.api.max_limit;
    return {
        {"api", "defaultLimit", "default-limit", std::to_string(options.api.default_limit)},
        {"api", "maxLimit", "max-limit", max ? std::to_string(*max) : "none"},
        {"api", "withCount", "with-count", options.api.with_count ? "true" : "false"},
        {"api", "prefix", "prefix", options.prefix},
        {"api", "strictParams", "strict", options.api.strict ? "true" : "false"},
        {"api", "privateAttributes", "private-attributes", sorted_list(options.private_attributes)},
        {"plugins", "defaultDepth", "default-depth", std::to_string(options.api.default_depth)},
        {"middlewares", "arrayLimit", "query-array-limit",
         std::to_string(options.tree.array_limit)},
        {"middlewares", "depth", "query-depth", std::to_string(options.tree.depth)},
        {"middlewares", "origin", "cors-origins",
         options.cors.origins.empty() ? "*" : sorted_list(options.cors.origins)},
        {"middlewares", "headers", "cors-headers", sorted_list(options.cors.headers)},
        {"middlewares", "expose", "cors-expose", sorted_list(options.cors.exposed)},
        {"middlewares", "credentials", "cors-credentials",
         options.cors.credentials ? "true" : "false"},
        {"middlewares", "maxAge", "cors-max-age", std::to_string(options.cors.max_age)},
    };
}

// Returns a text without its quotes, a list as sorted_list() makes it, and all else as it is
// written.
std::string shown(std::vector<std::string> const& value) {
    if (value.size() == 1) return unquoted(value[0]);
    if (value.empty() || value[0] != "[") return boost::join(value, "");
    std::vector<std::string> texts;
    for (std::string const& token : value)
        if (is_string(token)) texts.push_back(unquoted(token));
    return sorted_list(texts);
}

// Returns each value once: strictParams is a setting of rest and of documents.
std::set<std::string> shown_values(Script const& script, std::string const& name) {
    std::set<std::string> texts;
    for (auto const& value : values_of(script.tokens, name))
        texts.insert(shown(value));
    return texts;
}

// Strapi 5.54: users-permissions with `jwtManagement: 'refresh'` accepts session tokens only, which
// have other claims and which the CMS can revoke.
void check_sessions(fs::path const& project, std::vector<Finding>& findings) {
    for (Script const& script : config_scripts(project, "plugins"))
        for (auto const& value : values_of(script.tokens, "jwtManagement"))
            if (std::ranges::find(value, "'refresh'") != value.end())
                findings.push_back(
                    {Finding::difference,
                     script.path.string() + " sets jwtManagement to refresh: users have session "
                                            "tokens, which get status 401 here",
                     "let the CMS serve the requests of users; requests with API tokens and public "
                     "requests are served here"});
}

// Returns whether a file of config/ has a maxLimit, or may have one: it takes what is written
// elsewhere, or it is not read.
bool may_have_maximum(fs::path const& project) {
    for (Script const& script : config_scripts(project, "api"))
        for (auto const word : {"maxLimit", "'maxLimit'", "require", "import"})
            if (std::ranges::find(script.tokens, word) != script.tokens.end()) return true;
    std::error_code error;
    for (fs::recursive_directory_iterator at(project / "config", error), end; !error && at != end;
         at.increment(error)) {
        auto const& path = at->path();
        bool const is_read = path.extension() == ".js" || path.extension() == ".ts";
        if (path.stem() == "api" && !is_read) return true;
    }
    return error || !unread_scripts(project).empty();
}

// A project that `create-strapi-app` makes has 100; Strapi itself has no maximum.
void check_maximum(fs::path const& project, Options const& options,
                   std::vector<Finding>& findings) {
    auto const& max = options.api.max_limit;
    if (!max || may_have_maximum(project)) return;
    findings.push_back({Finding::difference,
                        (project / "config").string() +
                            " sets no maxLimit: from Strapi, pagination[limit]=-1 gets all "
                            "entries, but max-limit is " +
                            std::to_string(*max),
                        "set max-limit = none; rows-limit and response-limit still apply"});
}

} // namespace

std::vector<Finding> check_project_settings(Options const& options) {
    std::vector<Finding> findings;
    auto const project = project_folder(options.schema);
    for (auto const& [file, name, option, ours] : settings(options))
        for (Script const& script : config_scripts(project, file))
            for (std::string const& theirs : shown_values(script, name))
                if (theirs != ours)
                    findings.push_back({Finding::difference,
                                        script.path.string() + " sets " + name + " to " + theirs +
                                            ", but " + option + " is " +
                                            (ours.empty() ? "not set" : ours),
                                        "set " + option + " to the same value"});
    check_sessions(project, findings);
    check_maximum(project, options, findings);
    return findings;
}

} // namespace fcgi
