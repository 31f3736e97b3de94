#include "db/schema/scripts.hpp"

#include "db/schema/project_folder.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdint>

namespace db {

namespace fs = std::filesystem;
namespace json = boost::json;

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

constexpr std::size_t deepest_literal = 64;

bool is_string_token(std::string_view token) {
    return token.size() >= 2 && token.front() == '\'';
}

// What a backslash and `${` mean depends on the quotes, which tokens no longer have.
std::optional<std::string> text_in(std::string_view token) {
    bool const is_plain =
        is_string_token(token) && token.find('\\') == token.npos && token.find("${") == token.npos;
    if (!is_plain) return std::nullopt;
    return std::string(token.substr(1, token.size() - 2));
}

std::optional<json::value> scalar_in(std::string_view token) {
    if (token == "true") return true;
    if (token == "false") return false;
    if (token == "null") return nullptr;
    if (auto const text = text_in(token)) return json::string(*text);
    std::int32_t number = 0;
    auto const* const end = token.data() + token.size();
    bool const is_octal = token.size() > 1 && token.front() == '0';
    if (is_octal || std::from_chars(token.data(), end, number).ptr != end) return std::nullopt;
    return number;
}

bool is_sign_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// No name may be a number, which JavaScript would put first, or __proto__, which is no member.
std::optional<std::string> name_in(std::string_view token) {
    bool const is_word = !token.empty() && is_sign_of_word(token.front());
    auto name = is_word ? std::optional<std::string>(token) : text_in(token);
    bool const is_number =
        name && !name->empty() && std::isdigit(static_cast<unsigned char>((*name)[0]));
    if (is_number || (name && *name == "__proto__")) return std::nullopt;
    return name;
}

} // namespace

ScriptReader::ScriptReader(std::string_view source) : tokens_(script_tokens(source)) {
}

std::string_view ScriptReader::next() const {
    return is_at_end() ? std::string_view() : tokens_[at_];
}

std::string_view ScriptReader::take_next() {
    auto const token = next();
    if (!is_at_end()) ++at_;
    return token;
}

bool ScriptReader::take(std::string_view text) {
    auto const expected = script_tokens(text);
    auto const begin = tokens_.begin() + static_cast<std::ptrdiff_t>(at_);
    bool const is_there = expected.size() <= tokens_.size() - at_ &&
                          std::equal(expected.begin(), expected.end(), begin);
    if (is_there) at_ += expected.size();
    return is_there;
}

bool ScriptReader::take_string() {
    bool const is_there = is_string_token(next());
    if (is_there) ++at_;
    return is_there;
}

std::optional<json::value> ScriptReader::take_value(std::size_t depth) {
    if (depth == deepest_literal) return std::nullopt;
    if (take("{")) return take_object(depth + 1);
    if (take("[")) return take_list(depth + 1);
    auto value = scalar_in(next());
    if (value) ++at_;
    return value;
}

std::optional<json::value> ScriptReader::take_list(std::size_t depth) {
    json::array list;
    while (!take("]")) {
        auto value = take_value(depth);
        if (!value) return std::nullopt;
        list.push_back(*std::move(value));
        if (!take(",") && next() != "]") return std::nullopt;
    }
    return list;
}

std::optional<json::value> ScriptReader::take_object(std::size_t depth) {
    json::object object;
    while (!take("}")) {
        auto const name = name_in(next());
        if (!name || object.contains(*name)) return std::nullopt;
        ++at_;
        if (!take(":")) return std::nullopt;
        auto value = take_value(depth);
        if (!value) return std::nullopt;
        object.emplace(*name, *std::move(value));
        if (!take(",") && next() != "}") return std::nullopt;
    }
    return object;
}

namespace {

bool take_beginning(ScriptReader& script) {
    return script.take("const {createCoreRouter} = require('@strapi/strapi').factories;"
                       "module.exports = createCoreRouter(") ||
           script.take("import {factories} from '@strapi/strapi';"
                       "export default factories.createCoreRouter(");
}

std::string_view text_or_none(json::value const& value) {
    return value.is_string() ? std::string_view(value.get_string()) : std::string_view();
}

// Returns the only middleware; empty if there is none, absent if there is anything else.
std::optional<std::string> middleware_of(json::value const& config) {
    if (!config.is_object()) return std::nullopt;
    std::string name;
    for (auto const& [key, value] : config.get_object()) {
        auto const* const list = value.if_array();
        if (!list) return std::nullopt;
        if (list->empty() && (key == "middlewares" || key == "policies")) continue;
        if (key != "middlewares" || list->size() != 1) return std::nullopt;
        name = text_or_none(list->front());
        if (name.empty()) return std::nullopt;
    }
    return name;
}

} // namespace

std::optional<Router> read_router(std::string_view source) {
    ScriptReader script(source);
    if (!take_beginning(script)) return std::nullopt;
    auto const uid = script.take_literal();
    if (!script.take("as const")) script.take("as any");
    if (!uid || !script.take(",")) return std::nullopt;
    auto const options = script.take_literal();
    script.take(",");
    bool const is_whole = script.take(")") && script.is_at_end();
    if (!is_whole || !options || !options->is_object()) return std::nullopt;
    Router router{std::string(text_or_none(*uid)), {}};
    for (auto const& [name, config] : options->get_object()) {
        if (name != "config" || !config.is_object()) return std::nullopt;
        for (std::string const action : {"find", "findOne"}) {
            auto const* const own = config.get_object().if_contains(action);
            if (!own) continue;
            auto middleware = middleware_of(*own);
            if (!middleware) return std::nullopt;
            if (!middleware->empty()) router.middlewares[action] = *std::move(middleware);
        }
    }
    return router;
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

bool is_router_of(ContentType const& type, CodeFile const& file) {
    if (file.kind != "routes") return false;
    auto const router = read_router(file.text);
    return router && router->uid == type.uid;
}

// Returns the routers of an API that are the generated ones with a configuration.
std::vector<Router> configured_routers(std::vector<CodeFile> const& files) {
    std::vector<Router> routers;
    for (CodeFile const& file : files)
        if (file.kind == "routes")
            if (auto router = read_router(file.text)) routers.push_back(*std::move(router));
    return routers;
}

// Whether the file is a middleware that a router names, so that it matters to that route alone.
bool is_of_a_route(CodeFile const& file, std::vector<Router> const& routers) {
    if (file.kind != "middlewares") return false;
    return std::ranges::any_of(routers, [&](Router const& router) {
        std::string const uid = router.uid.substr(0, router.uid.find('.') + 1) + file.stem;
        return std::ranges::any_of(router.middlewares,
                                   [&](auto const& route) { return route.second == uid; });
    });
}

} // namespace

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
    auto const routers = configured_routers(*files);
    for (Router const& router : routers)
        if (router.uid == type.uid) result.middlewares = router.middlewares;
    for (auto const& file : *files) {
        if (file.kind == "routes")
            for (auto const& action : actions_of(type))
                if (has_route(script_tokens(file.text), type, name, action))
                    result.actions.push_back(action);
        // The file of another type in the folder says nothing about this one.
        std::error_code ignored;
        if (file.stem != name && fs::exists(code / "content-types" / file.stem, ignored)) continue;
        bool const has_no_effect = is_router_of(type, file) || is_of_a_route(file, routers) ||
                                   is_generated(file.text, factory_of(file.kind), type.uid) ||
                                   is_blank(file.text);
        if (!has_no_effect && result.customised.empty())
            result.customised = file.path.string() + " has more code than Strapi generates";
    }
    return result;
}

} // namespace db
