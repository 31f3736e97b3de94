#include "fcgi/check/project_scripts.hpp"

#include "db/schema/script_tokens.hpp"

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace fcgi {

namespace fs = std::filesystem;

namespace {

void add_script(fs::path const& folder, std::string const& name, std::vector<Script>& scripts) {
    for (auto const ending : {".js", ".ts"}) {
        auto const path = folder / (name + ending);
        std::ifstream file(path);
        if (!file) continue;
        std::string const text((std::istreambuf_iterator<char>(file)), {});
        scripts.push_back({path, db::script_tokens(text)});
    }
}

int depth_of(std::string const& token) {
    if (token == "(" || token == "[" || token == "{") return 1;
    return token == ")" || token == "]" || token == "}" ? -1 : 0;
}

} // namespace

fs::path project_folder(std::string const& schema) {
    std::error_code error;
    if (fs::is_directory(fs::path(schema) / "src", error)) return schema;
    auto const folder = fs::absolute(schema, error).lexically_normal();
    return folder.has_filename() ? folder.parent_path() : folder.parent_path().parent_path();
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

std::vector<std::vector<std::string>> values_of(Script const& script, std::string const& name) {
    std::vector<std::vector<std::string>> values;
    auto const& tokens = script.tokens;
    for (std::size_t at = 0; at + 2 < tokens.size(); ++at) {
        bool const is_name = tokens[at] == name || tokens[at] == '\'' + name + '\'';
        bool const is_member = at > 0 && tokens[at - 1] == ".";
        if (!is_name || is_member || (tokens[at + 1] != ":" && tokens[at + 1] != "=")) continue;
        std::vector<std::string> value;
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

bool is_string(std::string const& token) {
    return token.size() >= 2 && token[0] == '\'';
}

std::string unquoted(std::string const& token) {
    return is_string(token) ? token.substr(1, token.size() - 2) : token;
}

std::map<std::string, std::string> environment_file(fs::path const& project) {
    std::map<std::string, std::string> variables;
    std::ifstream file(project / ".env");
    for (std::string line; std::getline(file, line);) {
        auto const equals = line.find('=');
        if (equals == line.npos || line[0] == '#') continue;
        auto value = boost::trim_copy(line.substr(equals + 1));
        bool const is_quoted =
            value.size() >= 2 && (value[0] == '"' || value[0] == '\'') && value.back() == value[0];
        if (is_quoted) value = value.substr(1, value.size() - 2);
        variables[boost::trim_copy(line.substr(0, equals))] = std::move(value);
    }
    return variables;
}

} // namespace fcgi
