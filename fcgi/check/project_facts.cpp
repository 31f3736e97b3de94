#include "fcgi/check/project_facts.hpp"

#include "fcgi/check/project_scripts.hpp"

#include <boost/algorithm/string/trim.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <optional>
#include <vector>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view blanks = " \t\r";

std::string trimmed(std::string_view text) {
    return boost::trim_copy_if(std::string(text), boost::is_any_of(blanks));
}

bool is_name(std::string_view text) {
    auto const is_of_names = [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '.' || c == '-';
    };
    return !text.empty() && std::ranges::all_of(text, is_of_names);
}

Variable in_quotes(std::string const& text) {
    char const quote = text[0];
    auto const close = text.find(quote, 1);
    if (close == text.npos) return {{}, {}, "has no closing quote on its line"};
    std::string value = text.substr(1, close - 1);
    auto const behind = std::string_view(text).substr(close + 1);
    auto const rest = trimmed(behind);
    if (!rest.empty() && (rest[0] != '#' || behind[0] == '#'))
        return {{}, {}, "has text after its closing quote"};
    if (quote == '`') return {{}, {}, "is in backticks"};
    if (quote == '"' && value.find('\\') != value.npos) return {{}, {}, "has a backslash"};
    return {std::move(value), {}, {}};
}

Variable without_quotes(std::string const& text) {
    auto const mark = text.find('#');
    if (mark == text.npos) return {text, {}, {}};
    if (mark == 0 || blanks.find(text[mark - 1]) == blanks.npos)
        return {{}, {}, "has a `#` that may begin a comment"};
    return {trimmed(std::string_view(text).substr(0, mark)), {}, {}};
}

Variable read_value(std::string const& text) {
    if (text.find("${") != text.npos) return {{}, {}, "has `${`, which may stand for a variable"};
    bool const is_quoted =
        !text.empty() && std::string_view("\"'`").find(text[0]) != std::string_view::npos;
    return is_quoted ? in_quotes(text) : without_quotes(text);
}

using Fact = ProjectFacts::Fact;

parser::Error doubt(std::string message) {
    return {parser::ErrorKind::configuration, std::move(message)};
}

// The CMS does not read .env.example and the like; people do.
bool is_example(std::string const& file) {
    return std::ranges::any_of(
        std::initializer_list<char const*>{"example", "sample", "template", "dist", "default"},
        [&](char const* word) { return file.find(word) != file.npos; });
}

bool is_number(std::string const& token) {
    return !token.empty() && token.find_first_not_of("0123456789") == token.npos;
}

// A declaration, or the result of a function, ends where the next statement begins.
bool is_end(Tokens const& tokens, std::size_t at) {
    constexpr std::string_view words[] = {"const",  "let",    "var",     "return",
                                          "export", "module", "function"};
    return at >= tokens.size() || std::ranges::find(words, tokens[at]) != std::end(words);
}

std::size_t end_of_call(Tokens const& tokens, std::size_t open) {
    int depth = 0;
    for (std::size_t at = open; at < tokens.size(); ++at) {
        depth += tokens[at] == "(" ? 1 : tokens[at] == ")" ? -1 : 0;
        if (depth == 0) return at + 1;
    }
    return tokens.size();
}

bool begins(Tokens const& tokens, std::initializer_list<std::string_view> words) {
    return tokens.size() >= words.size() && std::equal(words.begin(), words.end(), tokens.begin());
}

// Reads .env.production and the like, beside .env.
parser::Result<std::vector<Variables>> other_files(fs::path const& project) {
    std::vector<Variables> others;
    std::error_code error;
    for (auto const& entry : fs::directory_iterator(project, error)) {
        auto const name = entry.path().filename().string();
        if (!name.starts_with(".env.") || is_example(name) || !entry.is_regular_file(error))
            continue;
        auto read = read_variables(entry.path());
        if (!read) return read.error();
        others.push_back(*std::move(read));
    }
    return others;
}

class FactReader {
  public:
    FactReader(fs::path const& project, fs::path const& env_file);

    // Reads the value of the last of `names` in config/<script>, each name within the value of the
    // one before; a missing name before the last is skipped. If the script says nothing, reads
    // `variable`.
    Fact read(std::string const& script, std::vector<std::string> const& names,
              std::string const& variable) const;

  private:
    using Known = parser::Result<std::optional<std::string>>; // nullopt: undefined
    Known variable(std::string const& name) const;
    Known value_of(Tokens const& tokens, std::string const& place) const;
    Known literal(std::string const& token, std::string const& place) const;

    fs::path project_;
    parser::Result<Variables> variables_;
    parser::Result<std::vector<Variables>> others_; // files that may count or not
};

FactReader::FactReader(fs::path const& project, fs::path const& env_file)
    : project_(project),
      variables_(read_variables(env_file.empty() ? project / ".env" : env_file)) {
    if (env_file.empty()) others_ = other_files(project);
}

FactReader::Known FactReader::variable(std::string const& name) const {
    if (!variables_) return variables_.error();
    if (!others_) return others_.error();
    auto const found = variables_->find(name);
    bool const is_set = found != variables_->end();
    if (is_set && !found->second.doubt.empty())
        return doubt(found->second.place + ": " + name + ' ' + found->second.doubt);
    for (Variables const& other : *others_) {
        auto const theirs = other.find(name);
        if (theirs == other.end()) continue;
        if (is_set && theirs->second.doubt.empty() && theirs->second.value == found->second.value)
            continue;
        return doubt(theirs->second.place + ": " + name + " has another value here than in " +
                     (project_ / ".env").string() + ": name the file that applies with --env-file");
    }
    return is_set ? std::optional(found->second.value) : std::nullopt;
}

FactReader::Known FactReader::literal(std::string const& token, std::string const& place) const {
    if (is_number(token)) return std::optional(token);
    if (is_string(token) && token.find_first_of("\\") == token.npos &&
        token.find("${") == token.npos)
        return std::optional(unquoted(token));
    if (token == "undefined" || token == "null") return std::optional<std::string>();
    return doubt(place + " can be known only by running this code");
}

// Reads a literal; env('NAME'), env('NAME', literal), env.int('NAME', literal); process.env.NAME.
FactReader::Known FactReader::value_of(Tokens const& tokens, std::string const& place) const {
    auto const unknown = doubt(place + " can be known only by running this code");
    if (begins(tokens, {"process", ".", "env", "."}) && is_end(tokens, 5) && tokens.size() > 4)
        return variable(tokens[4]);
    std::size_t const open = begins(tokens, {"env", "."}) ? 3 : 1;
    if (begins(tokens, {"env"}) && open + 2 < tokens.size() && tokens[open] == "(") {
        auto const end = end_of_call(tokens, open);
        if (!is_end(tokens, end) || !is_string(tokens[open + 1])) return unknown;
        auto known = variable(unquoted(tokens[open + 1]));
        if (!known || *known || tokens[open + 2] == ")") return known;
        // The default is one token between the comma and the end.
        if (tokens[open + 2] != "," || end != open + 5) return unknown;
        return literal(tokens[open + 3], place);
    }
    if (tokens.empty() || !is_end(tokens, 1)) return unknown;
    return literal(tokens[0], place);
}

// Returns the values of the last name; a missing name before it is skipped.
std::vector<Tokens> find(Tokens const& script, std::vector<std::string> const& names) {
    std::vector<Tokens> around = {script};
    for (std::size_t i = 0; i + 1 < names.size(); ++i) {
        std::vector<Tokens> inside;
        for (Tokens const& outer : around)
            std::ranges::move(values_of(outer, names[i]), std::back_inserter(inside));
        if (!inside.empty()) around = std::move(inside);
    }
    std::vector<Tokens> found;
    for (Tokens const& outer : around)
        std::ranges::move(values_of(outer, names.back()), std::back_inserter(found));
    return found;
}

Fact FactReader::read(std::string const& script, std::vector<std::string> const& names,
                      std::string const& variable_name) const {
    std::optional<std::optional<std::string>> said; // nullopt: nothing; else a value or undefined
    for (Script const& file : config_scripts(project_, script))
        for (Tokens const& tokens : find(file.tokens, names)) {
            auto known = value_of(tokens, file.path.string() + ": " + names.back());
            if (!known) return known.error();
            if (said && *said != *known)
                return doubt(file.path.string() + ": " + names.back() +
                             " has another value than elsewhere in config/");
            said = *std::move(known);
        }
    auto const known = said ? Known(*said) : variable(variable_name);
    if (!known) return known.error();
    return known->value_or("");
}

} // namespace

parser::Result<Variables> read_variables(std::filesystem::path const& file) {
    auto const failure = [&](std::string const& why) {
        return parser::Error{parser::ErrorKind::configuration,
                             file.string() + ": cannot be read: " + why +
                                 "; you can name another file with --env-file"};
    };
    std::error_code error;
    // Reading a pipe would wait for its writer, and a device has no end.
    bool const is_file = std::filesystem::is_regular_file(file, error);
    if (error) return failure(error.message());
    if (!is_file) return failure("it is not a regular file");
    std::ifstream stream(file);
    if (!stream) return failure(std::strerror(errno));
    Variables variables;
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        auto text = trimmed(line);
        constexpr std::string_view shell_word = "export ";
        if (text.starts_with(shell_word)) text = trimmed(text.substr(shell_word.size()));
        auto const equals = text.find('=');
        if (equals == text.npos || text[0] == '#') continue;
        auto const name = trimmed(std::string_view(text).substr(0, equals));
        if (!is_name(name)) continue;
        auto& variable = variables[name];
        variable = read_value(trimmed(std::string_view(text).substr(equals + 1)));
        variable.place = file.string() + ':' + std::to_string(number);
    }
    return variables;
}

ProjectFacts read_project_facts(fs::path const& project, fs::path const& env_file) {
    FactReader const reader(project, env_file);
    auto const of_database = [&](std::string const& name, std::string const& variable) {
        return reader.read("database", {"mysql", name}, variable);
    };
    return {
        reader.read("database", {"client"}, "DATABASE_CLIENT"),
        of_database("host", "DATABASE_HOST"),
        of_database("port", "DATABASE_PORT"),
        of_database("socketPath", "DATABASE_SOCKET"),
        of_database("database", "DATABASE_NAME"),
        of_database("user", "DATABASE_USERNAME"),
        reader.read("plugins", {"jwtSecret"}, "JWT_SECRET"),
        reader.read("admin", {"apiToken", "salt"}, "API_TOKEN_SALT"),
        reader.read("server", {"port"}, "PORT"),
    };
}

} // namespace fcgi
