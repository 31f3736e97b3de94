#include "db/schema/customised.hpp"

#include "db/schema/text_file.hpp"

#include <algorithm>

namespace db {

namespace {

namespace fs = std::filesystem;

using Tokens = std::vector<std::string>;

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

// JavaScript ends a line comment at U+2028 and U+2029 as well.
std::size_t end_of_line(std::string_view text, std::size_t from) {
    return std::min({text.find_first_of("\n\r", from), text.find("\u2028", from),
                     text.find("\u2029", from), text.size()});
}

std::size_t end_of_string(std::string_view text, std::size_t open) {
    for (std::size_t i = open + 1; i < text.size(); ++i) {
        if (text[i] == '\\')
            ++i;
        else if (text[i] == text[open])
            return i + 1;
    }
    return text.size();
}

// Words, strings and single signs, without comments, white space and semicolons. A string is
// written 'in single quotes' whatever quotes it had.
Tokens tokens(std::string_view text) {
    Tokens found;
    std::size_t at = 0;
    while (at < text.size()) {
        char const c = text[at];
        std::size_t end = at + 1;
        if (text.substr(at, 2) == "//") {
            end = end_of_line(text, at);
        } else if (text.substr(at, 2) == "/*") {
            auto const close = text.find("*/", at + 2);
            end = close == std::string_view::npos ? text.size() : close + 2;
        } else if (c == '"' || c == '\'' || c == '`') {
            end = end_of_string(text, at);
            auto const inner = text.substr(at + 1, end - at - 1);
            found.push_back('\'' + std::string(inner.substr(0, inner.size() - !inner.empty())) +
                            '\'');
        } else if (is_word(c)) {
            while (end < text.size() && is_word(text[end]))
                ++end;
            found.emplace_back(text.substr(at, end - at));
        } else if (!is_space(c) && c != ';') {
            found.emplace_back(1, c);
        }
        at = end;
    }
    if (!found.empty() && found.front() == "'use strict'") found.erase(found.begin());
    return found;
}

bool contains(Tokens const& all, std::string const& token) {
    return std::ranges::find(all, token) != all.end();
}

struct CodeFile {
    fs::path path;
    std::string kind; // routes, controllers, services or another
    std::string stem; // the name of the type it belongs to, as a rule
    std::string text;
};

// Files that Strapi runs: all scripts, and in the routes' folder JSON too.
std::vector<CodeFile> code_files(fs::path const& folder) {
    std::vector<CodeFile> files;
    std::error_code ignored;
    for (auto const& entry : fs::recursive_directory_iterator(folder, ignored)) {
        auto const& path = entry.path();
        auto const relative = path.lexically_relative(folder);
        std::string const kind = *relative.begin();
        std::string const extension = path.extension();
        bool const is_types = path.stem().extension() == ".d";
        bool const is_script = !is_types && (extension == ".js" || extension == ".ts" ||
                                             extension == ".mjs" || extension == ".cjs");
        bool const is_routes = extension == ".json" && kind == "routes";
        if (!entry.is_regular_file(ignored) || !(is_script || is_routes)) continue;
        // content-types/<type>/lifecycles.js belongs to the type of its folder.
        auto const stem = kind == "content-types" ? path.parent_path().filename() : path.stem();
        files.push_back({path, kind, kebab_case(stem.string()),
                         read_text(path).value_or("a file that can't be read")});
    }
    std::ranges::sort(files, {}, &CodeFile::path);
    return files;
}

std::vector<std::string> actions_of(ContentType const& type) {
    if (type.kind == ContentType::Kind::single) return {"find"};
    return {"find", "findOne"};
}

std::string factory_of(std::string const& kind) {
    if (kind == "routes") return "createCoreRouter";
    if (kind == "controllers") return "createCoreController";
    if (kind == "services") return "createCoreService";
    return {};
}

// Whether a router file has a route for an action of the type.
bool has_route(Tokens const& router, ContentType const& type, std::string const& name,
               std::string const& action) {
    auto const names = [&](std::string const& text) {
        return contains(router, '\'' + text + '\'');
    };
    if (names(name + '.' + action) || names(type.uid + '.' + action)) return true;
    if (!contains(router, "createCoreRouter") || !names(type.uid)) return false;
    bool const named = names(action);
    if (contains(router, "only")) return named;
    return !contains(router, "except") || !named;
}

} // namespace

bool is_generated(std::string_view source, std::string_view factory, std::string_view uid) {
    std::string const create(factory);
    std::string const call = create + "('" + std::string(uid) + "')";
    Tokens const found = tokens(source);
    return found == tokens("const {" + create + "} = require('@strapi/strapi').factories;" +
                           "module.exports = " + call) ||
           found == tokens("import {factories} from '@strapi/strapi';"
                           "export default factories." +
                           call);
}

bool is_blank(std::string_view source) {
    return tokens(source).empty();
}

TypeCode read_code(fs::path const& code, ContentType const& type) {
    TypeCode result;
    std::string const name = type.uid.substr(type.uid.find('.') + 1);
    for (auto const& file : code_files(code)) {
        if (file.kind == "routes")
            for (auto const& action : actions_of(type))
                if (has_route(tokens(file.text), type, name, action))
                    result.actions.push_back(action);
        // The file of a sister type says nothing about this one.
        std::error_code ignored;
        if (file.stem != name && fs::exists(code / "content-types" / file.stem, ignored)) continue;
        bool const generated = is_generated(file.text, factory_of(file.kind), type.uid);
        if (!generated && !is_blank(file.text) && result.customised.empty())
            result.customised = file.path.string() + " is more than Strapi generates";
    }
    return result;
}

} // namespace db
