#include "db/schema/scripts.hpp"
#include "fcgi/check/check.hpp"
#include "fcgi/check/project_scripts.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <cstdlib>
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

// Public plugins of Strapi 4 and 5 that responses of its REST API depend on, by the name of their
// package, under any scope.
struct Plugin {
    std::string_view package;
    bool hides; // what it hides would be sent here
    std::string_view does;
};
constexpr Plugin plugins[] = {
    {"strapi-plugin-soft-delete", true, "keeps deleted entries in their tables and hides them"},
    {"strapi-plugin-protected-populate", true, "limits what each role may populate"},
    {"strapi-plugin-transformer", false, "removes `data` and `attributes` from responses"},
    {"strapi-plugin-converter", false, "changes the form of responses"},
    {"strapi-plugin-rest-cache", false, "answers from a cache, whose responses may be stale"},
    {"strapi-api-caching", false, "answers from a cache, whose responses may be stale"},
};

bool is_package(std::string_view name, std::string_view package) {
    return name == package || (name.ends_with(package) && name.starts_with('@') &&
                               name[name.size() - package.size() - 1] == '/');
}

// Returns 4 for `^4.25.1`, and 0 for `latest`.
int major_version(std::string const& version) {
    auto const digit = version.find_first_of("0123456789");
    return digit == version.npos ? 0 : std::atoi(version.c_str() + digit);
}

void check_dependencies(db::Schema const& schema, std::vector<Finding>& findings) {
    for (auto const& [name, version] : schema.dependencies) {
        bool const is_cms = name == "@strapi/strapi" || name == "strapi";
        int const major = is_cms ? major_version(version) : 0;
        if (is_cms && major != 0 && major != 4 && major != 5)
            findings.push_back({Finding::problem,
                                "package.json names " + name + ' ' + version +
                                    ": this is a Strapi " + std::to_string(major) + " project",
                                "let the CMS serve this site: only Strapi 4 and 5 are supported"});
        for (auto const& [package, hides, does] : plugins)
            if (is_package(name, package))
                findings.push_back(
                    {hides ? Finding::problem : Finding::note,
                     "the plugin " + name + ' ' + std::string(does) + ", but it does not run here",
                     hides ? "let the CMS serve the types that the plugin is for"
                           : "run the command compare to see what your clients would miss"});
    }
}

void check_middlewares(fs::path const& project, std::vector<Finding>& findings) {
    for (Script const& script : config_scripts(project, "middlewares")) {
        std::vector<std::string> names;
        for (std::string const& token : script.tokens)
            if (is_string(token) && token.find("::") != token.npos &&
                !token.starts_with("'strapi::"))
                names.push_back(unquoted(token));
        for (auto const& value : values_of(script.tokens, "resolve"))
            if (value.size() == 1 && is_string(value[0])) names.push_back(unquoted(value[0]));
        for (std::string const& name : names)
            findings.push_back({Finding::note,
                                script.path.string() + " names the middleware " + name +
                                    ", which does not run here",
                                "if it refuses requests, let the web server refuse them; the "
                                "command compare shows what it changes"});
    }
}

// A call in the start of a project that has an effect on responses, and is not run here.
struct Call {
    std::string_view what;
    std::string_view does;
};
constexpr Call calls[] = {
    {"strapi.documents.use", "a document middleware, which may change or hide what is read"},
    {"strapi.db.lifecycles.subscribe", "database lifecycles, which may change what is read"},
    {"strapi.entityService.decorate", "its own entity service, which may change what is read"},
    {"strapi.server.routes", "routes of its own"},
    {"strapi.server.use", "a server middleware, which may change responses"},
};

// `strapi.customFields.register({ name: 'color', type: 'string' })` changes no response: columns
// have the type.
constexpr std::string_view harmless_call = "strapi.customFields.register";

// Returns where the call begins, at or after `from`: `strapi . documents . use (`.
Tokens::const_iterator find_call(Tokens const& tokens, Tokens::const_iterator from,
                                 std::string_view what) {
    Tokens const call = db::script_tokens(std::string(what) + '(');
    return std::search(from, tokens.end(), call.begin(), call.end());
}

Tokens without_harmless_calls(Tokens const& tokens) {
    Tokens rest;
    for (auto at = tokens.begin(); at != tokens.end();) {
        auto const call = find_call(tokens, at, harmless_call);
        rest.insert(rest.end(), at, call);
        at = std::find(call, tokens.end(), "(");
        for (int depth = 0; at != tokens.end();) {
            depth += *at == "(" ? 1 : *at == ")" ? -1 : 0;
            ++at;
            if (depth == 0) break;
        }
    }
    return rest;
}

// Returns whether Strapi generates this: `register` and `bootstrap` with empty bodies, whatever
// their parameters, and in TypeScript the import of the types of these.
bool is_generated(Tokens tokens) {
    static Tokens const import = db::script_tokens("import type { Core } from '@strapi/strapi'");
    if (std::ranges::search(tokens, import).begin() == tokens.begin())
        tokens.erase(tokens.begin(), tokens.begin() + std::ssize(import));
    static std::vector<std::string> const ignored = {"async",   ",",      "register", "bootstrap",
                                                     "destroy", "module", ".",        "exports",
                                                     "=",       "export", "default"};
    int parameters = 0;
    std::string braces;
    for (std::string const& token : tokens) {
        parameters += token == "(" ? 1 : token == ")" ? -1 : 0;
        if (parameters > 0 || token == ")") continue;
        if (token == "{" || token == "}")
            braces += token;
        else if (std::ranges::find(ignored, token) == ignored.end())
            return false;
    }
    return braces.empty() || braces == "{}" || braces == "{{}}" || braces == "{{}{}}" ||
           braces == "{{}{}{}}";
}

void check_index(fs::path const& project, std::vector<Finding>& findings) {
    constexpr auto fix = "run the command compare to see whether it does";
    for (Script const& script : source_scripts(project, "index")) {
        bool any = false;
        for (auto const& [what, does] : calls) {
            auto const& tokens = script.tokens;
            if (find_call(tokens, tokens.begin(), what) == tokens.end()) continue;
            any = true;
            findings.push_back({Finding::note,
                                script.path.string() + " calls " + std::string(what) + ": " +
                                    std::string(does) + "; it does not run here",
                                fix});
        }
        if (!any && !is_generated(without_harmless_calls(script.tokens)))
            findings.push_back({Finding::note,
                                script.path.string() +
                                    " has code of its own (lifecycles, routes), which may "
                                    "change responses and does not run here",
                                fix});
    }
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

std::vector<Finding> check_project_code(Options const& options, db::Schema const& schema) {
    std::vector<Finding> findings;
    auto const project = project_folder(options.schema);
    check_dependencies(schema, findings);
    check_middlewares(project, findings);
    check_index(project, findings);
    return findings;
}

} // namespace fcgi
