#include "db/schema/scripts.hpp"

#include "db/schema/project_folder.hpp"

#include <algorithm>

namespace db {

namespace fs = std::filesystem;

namespace {

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

} // namespace

std::vector<std::string> script_tokens(std::string_view text) {
    std::vector<std::string> found;
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

namespace {

using Tokens = std::vector<std::string>;

bool contains(Tokens const& all, std::string const& token) {
    return std::ranges::find(all, token) != all.end();
}

struct CodeFile {
    fs::path path;
    std::string kind; // routes, controllers, services or another
    std::string stem; // the name of the type it belongs to, as a rule
    std::string text;
};

// Strapi runs all scripts, and in the routes' folder takes JSON too.
bool is_code(fs::path const& path, std::string const& kind) {
    auto const extension = path.extension();
    if (path.stem().extension() == ".d") return false; // types alone
    return extension == ".js" || extension == ".ts" || extension == ".mjs" || extension == ".cjs" ||
           (extension == ".json" && kind == "routes");
}

parser::Result<std::vector<CodeFile>> code_files(fs::path const& folder) {
    std::vector<CodeFile> files;
    if (folder.empty()) return files;
    auto const all = files_below(folder);
    if (!all) return all.error();
    for (auto const& path : *all) {
        std::string const kind = *path.lexically_relative(folder).begin();
        if (!is_code(path, kind)) continue;
        auto text = read_text(path);
        if (!text) return text.error();
        // content-types/<type>/lifecycles.js belongs to the type of its folder.
        auto const stem = kind == "content-types" ? path.parent_path().filename() : path.stem();
        files.push_back({path, kind, normalized_name(stem.string()), *std::move(text)});
    }
    return files;
}

std::string factory_of(std::string const& kind) {
    if (kind == "routes") return "createCoreRouter";
    if (kind == "controllers") return "createCoreController";
    if (kind == "services") return "createCoreService";
    return {};
}

// TypeScript compiles `'api::x.x' as const` and `as any` to the text alone.
Tokens without_type_of(std::string const& text, Tokens tokens) {
    for (std::string const type : {"const", "any"}) {
        auto const typed = std::ranges::search(tokens, Tokens{text, "as", type});
        if (!typed.empty()) tokens.erase(typed.begin() + 1, typed.end());
    }
    return tokens;
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

std::vector<std::string> actions_of(ContentType const& type) {
    if (type.kind == ContentType::Kind::single) return {"find"};
    return {"find", "findOne"};
}

bool is_generated(std::string_view source, std::string_view factory, std::string_view uid) {
    std::string const create(factory);
    std::string const text = '\'' + std::string(uid) + '\'';
    std::string const call = create + '(' + text + ')';
    Tokens const found = without_type_of(text, script_tokens(source));
    return found == script_tokens("const {" + create + "} = require('@strapi/strapi').factories;" +
                                  "module.exports = " + call) ||
           found == script_tokens("import {factories} from '@strapi/strapi';"
                                  "export default factories." +
                                  call);
}

bool is_blank(std::string_view source) {
    return script_tokens(source).empty();
}

parser::Result<TypeCode> read_code(fs::path const& code, ContentType const& type) {
    TypeCode result;
    std::string const name = type.uid.substr(type.uid.find('.') + 1);
    auto const files = code_files(code);
    if (!files) return files.error();
    for (auto const& file : *files) {
        if (file.kind == "routes")
            for (auto const& action : actions_of(type))
                if (has_route(script_tokens(file.text), type, name, action))
                    result.actions.push_back(action);
        // The file of another type in the folder says nothing about this one.
        std::error_code ignored;
        if (file.stem != name && fs::exists(code / "content-types" / file.stem, ignored)) continue;
        bool const has_no_effect =
            is_generated(file.text, factory_of(file.kind), type.uid) || is_blank(file.text);
        if (!has_no_effect && result.customised.empty())
            result.customised = file.path.string() + " has more code than Strapi generates";
    }
    return result;
}

} // namespace db
