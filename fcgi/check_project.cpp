#include "fcgi/check.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

// A name in a file of config/, the option that stands for it, and what that is set to, as it would
// be written in JavaScript: lists as their sorted texts, a comma between them.
struct ProjectSetting {
    std::string file; // without its ending
    std::string name;
    std::string option;
    std::string value;
};

std::string joined(std::vector<std::string> const& texts) {
    return boost::join(std::set<std::string>(texts.begin(), texts.end()), ",");
}

std::vector<ProjectSetting> settings(Options const& options) {
    auto const& max = options.api.max_limit;
    return {
        {"api", "defaultLimit", "default-limit", std::to_string(options.api.default_limit)},
        {"api", "maxLimit", "max-limit", max ? std::to_string(*max) : "none"},
        {"api", "withCount", "with-count", options.api.with_count ? "true" : "false"},
        {"api", "prefix", "prefix", options.prefix},
        {"api", "privateAttributes", "private-attributes", joined(options.private_attributes)},
        {"middlewares", "arrayLimit", "query-array-limit",
         std::to_string(options.tree.array_limit)},
        {"middlewares", "depth", "query-depth", std::to_string(options.tree.depth)},
        {"middlewares", "origin", "cors-origins",
         options.cors.origins.empty() ? "*" : joined(options.cors.origins)},
        {"middlewares", "headers", "cors-headers", joined(options.cors.headers)},
        {"middlewares", "expose", "cors-expose", joined(options.cors.exposed)},
        {"middlewares", "credentials", "cors-credentials",
         options.cors.credentials ? "true" : "false"},
    };
}

// Without comments; one that begins inside a text (`"http://…"`) has a quote or a colon before it.
std::string read_script(fs::path const& path) {
    std::ifstream file(path);
    std::string const text((std::istreambuf_iterator<char>(file)), {});
    static std::regex const comments(R"(/\*[^]*?\*/|(^|[^:'"`])//[^\n]*)");
    return std::regex_replace(text, comments, "$1");
}

// Of `name: value`: a text without its quotes, a list as `joined`, all else as it stands there.
std::vector<std::string> values_of(std::string const& script, std::string const& name) {
    std::regex const member(R"((?:^|[\s{,'"]))" + name + R"(['"]?\s*:\s*(\[[^\]]*\]|[^,}\n]+))");
    static std::regex const quoted(R"(['"`]([^'"`]*)['"`])");
    std::vector<std::string> values;
    for (std::sregex_iterator found(script.begin(), script.end(), member), end; found != end;
         ++found) {
        std::string const value = boost::trim_copy((*found)[1].str());
        std::vector<std::string> texts;
        for (std::sregex_iterator text(value.begin(), value.end(), quoted); text != end; ++text)
            texts.push_back((*text)[1]);
        bool const is_plain = value.starts_with('[') || std::regex_match(value, quoted);
        values.push_back(is_plain ? joined(texts) : value);
    }
    return values;
}

// config/, and config/env/<name>/, which counts where NODE_ENV has that name.
std::vector<fs::path> folders(fs::path project) {
    std::error_code error;
    if (!fs::is_directory(project / "config", error)) project = fs::absolute(project).parent_path();
    std::vector<fs::path> found{project / "config"};
    for (auto const& entry : fs::directory_iterator(project / "config" / "env", error))
        found.push_back(entry.path());
    return found;
}

} // namespace

std::vector<Finding> check_project_settings(Options const& options) {
    std::vector<Finding> findings;
    for (fs::path const& folder : folders(options.schema))
        for (auto const& [file, name, option, ours] : settings(options))
            for (auto const ending : {".js", ".ts"}) {
                auto const path = folder / (file + ending);
                for (std::string const& theirs : values_of(read_script(path), name))
                    if (theirs != ours)
                        findings.push_back({false,
                                            path.string() + " sets " + name + " to " + theirs +
                                                ", and " + option + " is " +
                                                (ours.empty() ? "not set" : ours),
                                            "set " + option + " to the same"});
            }
    return findings;
}

} // namespace fcgi
