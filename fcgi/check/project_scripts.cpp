#include "fcgi/check/project_scripts.hpp"

#include "db/schema/scripts.hpp"

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <unistd.h>

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

fs::path without_slash(std::string const& schema) {
    std::error_code error;
    auto const folder = fs::absolute(schema, error).lexically_normal();
    return folder.has_filename() ? folder : folder.parent_path();
}

int depth_of(std::string const& token) {
    if (token == "(" || token == "[" || token == "{") return 1;
    return token == ")" || token == "]" || token == "}" ? -1 : 0;
}

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

} // namespace fcgi
