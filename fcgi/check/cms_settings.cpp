#include "fcgi/check/cms_settings.hpp"

#include "fcgi/check/project_scripts.hpp"

#include <algorithm>
#include <cctype>
#include <optional>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

std::optional<std::string> literal(Tokens const& tokens, std::size_t at) {
    if (at >= tokens.size()) return std::nullopt;
    auto const& token = tokens[at];
    bool const is_number =
        !token.empty() && std::ranges::all_of(token, [](unsigned char c) { return isdigit(c); });
    if (!is_string(token) && !is_number) return std::nullopt;
    return unquoted(token);
}

bool is_word(std::string const& token) {
    return !token.empty() && std::isalpha(static_cast<unsigned char>(token[0]));
}

// A variable that a script takes from the environment, and its value if that has none.
struct Lookup {
    std::string name;
    std::optional<std::string> otherwise;
};

// Reads `env('NAME')`, `env.int('NAME', 3306)`, `process.env.NAME || 'text'`.
std::optional<Lookup> variable_in(Tokens const& value) {
    static Tokens const process{"process", ".", "env", "."};
    if (std::ranges::search(value, process).begin() == value.begin() && value.size() > 4) {
        bool const has_other = value.size() > 7 && (value[5] == "|" || value[5] == "?");
        return Lookup{value[4], has_other ? literal(value, 7) : std::nullopt};
    }
    if (value.empty() || value[0] != "env") return std::nullopt;
    std::size_t const open = value.size() > 2 && value[1] == "." ? 3 : 1;
    if (value.size() <= open + 1 || value[open] != "(" || !is_string(value[open + 1]))
        return std::nullopt;
    bool const has_other = value.size() > open + 2 && value[open + 2] == ",";
    return Lookup{unquoted(value[open + 1]), has_other ? literal(value, open + 3) : std::nullopt};
}

class SettingsReader {
  public:
    explicit SettingsReader(fs::path const& project) : project_(project), path_(project / ".env") {
        auto variables = read_environment_file(project);
        if (variables)
            variables_ = *std::move(variables);
        else
            unread_ = variables.error().message;
    }

    // Returns the setting `names` of config/<file>, each name within the value of that before it.
    // If no file has it, the expression `otherwise` counts.
    CmsValues values(std::string const& file, std::vector<std::string> const& names,
                     Tokens const& otherwise = {}) const {
        CmsValues found;
        bool stands_there = false;
        for (Script const& script : config_scripts(project_, file))
            for (Tokens const& value : values_within(script.tokens, names)) {
                stands_there = true;
                add(value, script.path, found);
            }
        if (!stands_there) add(otherwise, path_, found);
        return found;
    }

    fs::path const& path() const { return path_; }
    std::string const& unread() const { return unread_; }

  private:
    void add(Tokens const& value, fs::path const& place, CmsValues& found) const {
        // After `const name = 'text'` the tokens of the next statement follow.
        bool const is_alone = value.size() == 1 || (value.size() > 1 && is_word(value[1]));
        if (auto text = is_alone ? literal(value, 0) : std::nullopt) {
            found.push_back({*std::move(text), place.string()});
            return;
        }
        auto const variable = variable_in(value);
        if (!variable || !unread_.empty()) return;
        auto const set = variables_.find(variable->name);
        // What `${}` stands for is known only to those who start the CMS.
        if (set != variables_.end() && set->second.find("${") != std::string::npos) return;
        if (set != variables_.end())
            found.push_back({set->second, path_.string(), variable->name});
        else if (variable->otherwise)
            found.push_back({*variable->otherwise, place.string(), variable->name, true});
    }

    fs::path project_;
    fs::path path_;
    std::map<std::string, std::string> variables_;
    std::string unread_;
};

} // namespace

std::string CmsSetting::place() const {
    return variable.empty() || is_default ? file : variable + " of " + file;
}

CmsSettings read_cms_settings(fs::path const& project) {
    SettingsReader const read(project);
    auto const of_database = [&](std::string const& name) {
        // create-strapi-app writes the connections of several clients: take that of mysql.
        auto found = read.values("database", {"mysql", name});
        return found.empty() ? read.values("database", {name}) : found;
    };
    return {.environment = read.path(),
            .unread = read.unread(),
            .client = read.values("database", {"client"}),
            .host = of_database("host"),
            .port = of_database("port"),
            .socket = of_database("socketPath"),
            .database = of_database("database"),
            .jwt_secret = read.values("plugins", {"jwtSecret"}, {"env", "(", "'JWT_SECRET'", ")"}),
            .api_token_salt =
                read.values("admin", {"apiToken", "salt"}, {"env", "(", "'API_TOKEN_SALT'", ")"})};
}

} // namespace fcgi
