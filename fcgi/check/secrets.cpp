#include "fcgi/check/secrets.hpp"

#include "fcgi/options/option_sources.hpp"
#include "fcgi/options/readable.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <cstdlib>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

// Texts that templates, examples and our own guides have in place of a secret, in lower case.
constexpr std::string_view examples[] = {
    "tobemodified", "changeme",    "change-me",      "secret",          "jwt_secret",
    "mysecret",     "my-secret",   "api_token_salt", "your-jwt-secret", "your_jwt_secret",
    "yoursecret",   "your-secret", "supersecret"};
constexpr std::size_t shortest_secret = 16;

// Returns why others could guess the secret; empty if they could not.
std::string weakness(std::string const& secret) {
    auto const lower = boost::to_lower_copy(secret, std::locale::classic());
    bool const is_example = std::ranges::any_of(
        examples, [&](std::string_view example) { return lower.starts_with(example); });
    if (is_example) return " is a well-known example value";
    return secret.size() < shortest_secret ? " is shorter than 16 characters" : "";
}

// Returns a command that deletes the lines that set `name`, and ends the last line that is left.
std::string command_to_delete(std::string const& name, std::string const& file) {
    return "sed -i -e '/^ *" + name + " *=/d' -e '$a\\' " + file + " && ";
}

// Returns a command that writes the CMS's secret into our settings without showing it. Values are
// written in .env as in our settings.
std::string command_to_take(SharedSecret const& secret, std::string const& variable,
                            Options const& options, fs::path const& environment) {
    auto const file = shell_word(environment.string());
    auto const lines = "^(export +)?" + variable + " *=";
    auto const own = environment_name(secret.option);
    if (std::getenv(own.c_str()))
        return "export " + own + "=\"$(sed -nE 's/" + lines + " *//p' " + file +
               " | tr -d \"\\\"'\")\"";
    if (options.configuration.empty())
        return "set " + secret.option + " to " + variable + " of " + environment.string();
    auto const settings = shell_word(options.configuration);
    return command_to_delete(secret.option, settings) + "sed -nE 's/" + lines + '/' +
           secret.option + " =/p' " + file + " >>" + settings;
}

// Returns a command that makes a secret for the CMS.
std::string command_to_make(CmsSetting const& theirs) {
    auto const file = shell_word(theirs.file);
    return command_to_delete(theirs.variable, file) + "openssl rand -base64 32 | sed 's/^/" +
           theirs.variable + "=/' >>" + file;
}

// Returns whether .env is there unread, or may be where this account may not look.
bool is_hidden(CmsSettings const& cms) {
    std::error_code error;
    return !cms.unread.empty() && (fs::exists(cms.environment, error) || error);
}

// `theirs` is null if it is not known.
std::string fix_of_another(SharedSecret const& secret, CmsSetting const* theirs,
                           Options const& options, CmsSettings const& cms) {
    if (theirs && theirs->variable.empty())
        return "set " + secret.option + " to the value in " + theirs->file;
    if (theirs || is_hidden(cms))
        return command_to_take(secret, theirs ? theirs->variable : secret.variable, options,
                               cms.environment);
    return "set " + secret.option + " to " + secret.variable + " of the CMS";
}

} // namespace

std::vector<Finding> check_secret(SharedSecret const& secret, Options const& options,
                                  CmsSettings const& cms) {
    if (secret.ours.empty()) return {};
    auto const weak = weakness(secret.ours);
    auto const theirs = std::ranges::find(secret.theirs, secret.ours, &CmsSetting::text);
    if (theirs != secret.theirs.end()) {
        if (weak.empty()) return {};
        return {{Finding::problem, secret.option + weak + ", and so is that of the CMS",
                 "restart the CMS after this command and check again; " + secret.loses + ": " +
                     command_to_make(*theirs)}};
    }
    auto const other = std::ranges::find(secret.theirs, false, &CmsSetting::is_default);
    if (other != secret.theirs.end())
        return {{Finding::problem,
                 secret.option + (weak.empty() ? "" : weak + ", and") + " differs from " +
                     other->place(),
                 fix_of_another(secret, &*other, options, cms)}};
    if (weak.empty()) return {};
    return {
        {Finding::problem, secret.option + weak, fix_of_another(secret, nullptr, options, cms)}};
}

} // namespace fcgi
