#include "db/schema/description.hpp"
#include "fcgi/check/check.hpp"
#include "fcgi/options/described.hpp"
#include "fcgi/options/readable.hpp"

#include <cstdlib>

namespace fcgi {

namespace fs = std::filesystem;

namespace {

void check_options(Options const& options, db::Description const& cms,
                   std::vector<Finding>& findings) {
    for (auto const& [name, theirs, ours] : differing_options(cms, options))
        findings.push_back({Finding::difference,
                            name + " is " + (ours.empty() ? "not set" : ours) +
                                ", but the CMS has " + (theirs.empty() ? "none" : theirs),
                            "remove the setting " + name + ": the description has the value"});
}

// Strapi 5.54: users-permissions with `jwtManagement: 'refresh'` accepts session tokens only, which
// have other claims and which the CMS can revoke.
void check_sessions(db::Description const& cms, std::vector<Finding>& findings) {
    auto const* management = cms.settings.if_contains("jwtManagement");
    if (management && *management == "refresh")
        findings.push_back(
            {Finding::difference,
             "the CMS has jwtManagement: refresh: users have session tokens, which get status 401 "
             "here",
             "let the CMS serve the requests of users; requests with API tokens and public "
             "requests are served here"});
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

} // namespace

fs::path project_folder(std::string const& schema) {
    std::error_code error;
    auto folder = fs::absolute(schema, error).lexically_normal();
    if (!folder.has_filename()) folder = folder.parent_path();
    for (auto const part : {"src", "package.json"})
        if (fs::exists(folder / part, error) || (error && folder.filename() != "src"))
            return folder;
    return folder.parent_path();
}

std::string command_to_describe(Options const& options) {
    return "sudo populate-fcgi setup " + shell_word(project_folder(options.schema).string());
}

std::vector<Finding> check_description(Options const& options, db::Description const& cms) {
    std::vector<Finding> findings;
    check_options(options, cms, findings);
    check_sessions(cms, findings);
    for (std::string const& reason : cms.handed_over)
        findings.push_back({Finding::problem, "the CMS has to answer all requests: " + reason, ""});
    return findings;
}

std::vector<Finding> check_packages(db::Schema const& schema) {
    std::vector<Finding> findings;
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
    return findings;
}

} // namespace fcgi
