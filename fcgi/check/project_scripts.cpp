#include "fcgi/check/project_scripts.hpp"

#include "db/schema/scripts.hpp"

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <optional>

#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

void add_script(fs::path const& folder, std::string const& name, std::vector<Script>& scripts) {
    for (auto const ending : {".js", ".ts"}) {
        auto const path = folder / (name + ending);
        std::ifstream file(path);
        if (!file) continue;
        std::string const text((std::istreambuf_iterator<char>(file)), {});
        scripts.push_back({path, db::script_tokens(text)});
    }
}

fs::path without_slash(std::string const& schema) {
    std::error_code error;
    auto const folder = fs::absolute(schema, error).lexically_normal();
    return folder.has_filename() ? folder : folder.parent_path();
}

int depth_of(std::string const& token) {
    if (token == "(" || token == "[" || token == "{") return 1;
    return token == ")" || token == "]" || token == "}" ? -1 : 0;
}

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
struct VariableUse {
    std::string name;
    std::optional<std::string> otherwise;
};

// Reads `env('NAME')`, `env.int('NAME', 3306)`, `process.env.NAME || 'text'`.
std::optional<VariableUse> variable_in(Tokens const& value) {
    static Tokens const process{"process", ".", "env", "."};
    if (std::ranges::search(value, process).begin() == value.begin() && value.size() > 4) {
        bool const has_other = value.size() > 7 && (value[5] == "|" || value[5] == "?");
        return VariableUse{value[4], has_other ? literal(value, 7) : std::nullopt};
    }
    if (value.empty() || value[0] != "env") return std::nullopt;
    std::size_t const open = value.size() > 2 && value[1] == "." ? 3 : 1;
    if (value.size() <= open + 1 || value[open] != "(" || !is_string(value[open + 1]))
        return std::nullopt;
    bool const has_other = value.size() > open + 2 && value[open + 2] == ",";
    return VariableUse{unquoted(value[open + 1]),
                       has_other ? literal(value, open + 3) : std::nullopt};
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

fs::path project_folder(std::string const& schema) {
    std::error_code error;
    for (auto const part : {"src", "package.json"})
        if (fs::exists(fs::path(schema) / part, error)) return schema;
    return without_slash(schema).parent_path();
}

fs::path source_folder(std::string const& schema) {
    auto const folder = without_slash(schema);
    std::error_code error;
    bool const is_above =
        fs::exists(folder / "src", error) || (error && folder.filename() != "src");
    return is_above ? folder / "src" : folder;
}

std::vector<Script> config_scripts(fs::path const& project, std::string const& name) {
    std::vector<Script> scripts;
    add_script(project / "config", name, scripts);
    std::error_code error;
    for (auto const& entry : fs::directory_iterator(project / "config" / "env", error))
        add_script(entry.path(), name, scripts);
    return scripts;
}

std::vector<Script> source_scripts(fs::path const& project, std::string const& name) {
    std::vector<Script> scripts;
    add_script(project / "src", name, scripts);
    return scripts;
}

std::vector<fs::path> unread_scripts(fs::path const& project) {
    std::vector<fs::path> unread;
    auto const look = [&](fs::path const& folder) {
        std::error_code error;
        for (auto const& entry : fs::directory_iterator(folder, error)) {
            auto const ending = entry.path().extension();
            if ((ending == ".js" || ending == ".ts") && ::access(entry.path().c_str(), R_OK) != 0)
                unread.push_back(entry.path());
        }
        if (error == std::errc::permission_denied) unread.push_back(folder);
    };
    auto const environments = project / "config" / "env";
    look(project / "config");
    look(environments);
    std::error_code error;
    for (auto const& entry : fs::directory_iterator(environments, error))
        if (entry.is_directory(error)) look(entry.path());
    return unread;
}

std::vector<Tokens> values_of(Tokens const& tokens, std::string const& name) {
    std::vector<Tokens> values;
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        bool const is_name = tokens[at] == name || tokens[at] == '\'' + name + '\'';
        bool const is_member = at > 0 && tokens[at - 1] == ".";
        if (!is_name || is_member || (tokens[at + 1] != ":" && tokens[at + 1] != "=")) continue;
        Tokens value;
        int depth = 0;
        for (std::size_t i = at + 2; i < tokens.size(); ++i) {
            depth += depth_of(tokens[i]);
            if (depth < 0 || (depth == 0 && tokens[i] == ",")) break;
            value.push_back(tokens[i]);
        }
        values.push_back(std::move(value));
    }
    return values;
}

std::vector<Tokens> values_within(Tokens const& tokens, std::vector<std::string> const& names) {
    std::vector<Tokens> within{tokens};
    for (std::string const& name : names) {
        std::vector<Tokens> found;
        for (Tokens const& outer : within)
            std::ranges::move(values_of(outer, name), std::back_inserter(found));
        within = std::move(found);
    }
    return within;
}

bool is_string(std::string const& token) {
    return token.size() >= 2 && token[0] == '\'';
}

std::string unquoted(std::string const& token) {
    return is_string(token) ? token.substr(1, token.size() - 2) : token;
}

parser::Result<Environment> read_environment_file(fs::path const& project) {
    auto const path = project / ".env";
    std::ifstream file(path);
    if (!file) {
        auto const why = errno == ENOENT
                             ? "there is no " + path.string()
                             : path.string() + " cannot be read: " + std::strerror(errno);
        return parser::Error{parser::ErrorKind::not_granted, why};
    }
    Environment variables;
    for (std::string line; std::getline(file, line);) {
        boost::trim(line);
        if (line.starts_with("export ")) boost::trim_left(line.erase(0, 7));
        auto const equals = line.find('=');
        if (equals == line.npos || line[0] == '#') continue;
        auto value = boost::trim_copy(line.substr(equals + 1));
        bool const is_quoted = !value.empty() && (value[0] == '"' || value[0] == '\'');
        auto const close = is_quoted ? value.find(value[0], 1) : value.npos;
        value = close == value.npos ? boost::trim_copy(value.substr(0, value.find('#')))
                                    : value.substr(1, close - 1);
        variables[boost::trim_copy(line.substr(0, equals))] = std::move(value);
    }
    return variables;
}

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
