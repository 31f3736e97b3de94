#include "db/schema/default_parameters.hpp"

#include "db/schema/declaration.hpp"
#include "db/schema/naming.hpp"
#include "db/schema/project_folder.hpp"

#include <boost/algorithm/hex.hpp>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <openssl/sha.h>

#include <algorithm>
#include <array>

namespace db {

namespace fs = std::filesystem;
namespace json = boost::json;

namespace {

constexpr std::array parameter_names{"fields",           "filters",  "locale",
                                     "pagination",       "populate", "sort",
                                     "publicationState", "status",   "publicationFilter"};

parser::Tree tree_of(json::value const& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return parser::Tree(std::string(value.get_string()));
    if (value.is_array()) {
        parser::List list;
        for (auto const& item : value.get_array())
            list.push_back(tree_of(item));
        return parser::Tree(std::move(list));
    }
    if (value.is_object()) {
        std::vector<parser::Object::Member> members;
        for (auto const& [name, member] : value.get_object())
            members.emplace_back(name, tree_of(member));
        return parser::Tree(parser::Object(std::move(members)));
    }
    return parser::Tree(json::serialize(value));
}

// Reads one file, and keeps the first error.
class DefaultsReader {
  public:
    explicit DefaultsReader(std::string path) : path_(std::move(path)) {}

    parser::Result<DefaultsFile> read(std::string const& text) {
        json::error_code error;
        auto const root = json::parse(text, error, {}, {.max_depth = deepest_defaults});
        if (error) return schema_error(path_ + ": expected JSON: " + error.message());
        DefaultsFile file;
        for (auto const& [uid, actions] : object(root, ""))
            for (auto const& [action, entry] : object(actions, uid)) {
                auto const name = std::string(uid) + '.' + std::string(action);
                if (action != "find" && action != "findOne")
                    expected(name, "one of the actions `find` and `findOne`");
                file.emplace(name, read_entry(object(entry, name), name));
            }
        if (!problem_.empty()) return schema_error(problem_);
        return file;
    }

  private:
    ActionDefaults read_entry(json::object const& entry, std::string const& place) {
        ActionDefaults defaults;
        for (auto const& [key, value] : entry) {
            auto const name = place + '.' + std::string(key);
            if (key == "middleware")
                defaults.middleware = text(value, name);
            else if (key == "sha256")
                defaults.sha256 = text(value, name);
            else if (key == "always")
                defaults.parameters.always = parameters(value, name);
            else if (key == "default")
                defaults.parameters.absent = parameters(value, name);
            else
                expected(name, "`middleware`, `sha256`, `always` or `default`");
        }
        if (defaults.middleware.empty()) expected(place, "a `middleware`, the UID in the router");
        if (defaults.sha256.size() != std::size_t{2} * SHA256_DIGEST_LENGTH)
            expected(place, "a `sha256` of 64 digits, as sha256sum prints it");
        if (defaults.parameters.empty()) expected(place, "parameters in `always` or `default`");
        return defaults;
    }

    parser::Object parameters(json::value const& value, std::string const& place) {
        for (auto const& [name, parameter] : object(value, place)) {
            if (std::ranges::find(parameter_names, name) == parameter_names.end())
                expected(place + '.' + std::string(name), "the name of a parameter");
            if (parameter.is_bool() || parameter.is_null() || parameter.is_number())
                expected(place + '.' + std::string(name), "a text, a list or an object");
        }
        auto const tree = tree_of(value);
        return tree.object() ? *tree.object() : parser::Object();
    }

    json::object const& object(json::value const& value, std::string_view place) {
        static json::object const none;
        if (value.is_object()) return value.get_object();
        expected(place, "an object");
        return none;
    }

    std::string text(json::value const& value, std::string const& place) {
        if (value.is_string()) return std::string(value.get_string());
        expected(place, "a text");
        return {};
    }

    void expected(std::string_view place, std::string_view what) {
        if (problem_.empty())
            problem_.append(path_)
                .append(": ")
                .append(place)
                .append(place.empty() ? "" : ": ")
                .append("expected ")
                .append(what);
    }

    std::string const path_;
    std::string problem_;
};

} // namespace

parser::Result<DefaultsFile> read_defaults(fs::path const& path) {
    auto const text = read_text(path);
    if (!text) return text.error();
    return DefaultsReader(path.string()).read(*text);
}

parser::Result<fs::path> find_middleware(fs::path const& source, std::string_view uid) {
    constexpr std::string_view api = "api::";
    constexpr std::string_view global = "global::";
    fs::path folder = source;
    auto name = uid;
    if (uid.starts_with(api)) {
        auto const dot = uid.find('.');
        folder = folder / "api" / uid.substr(api.size(), std::min(dot, uid.size()) - api.size());
        name.remove_prefix(dot == uid.npos ? uid.size() : dot + 1);
    } else if (uid.starts_with(global)) {
        name.remove_prefix(global.size());
    } else {
        return schema_error(std::string(uid) + " is not a middleware of this project");
    }
    folder /= "middlewares";
    auto const files = entries_of(folder);
    if (!files) return files.error();
    std::vector<fs::path> found;
    for (auto const& path : *files)
        if (normalized_name(path.stem().string()) == name) found.push_back(path);
    if (found.size() == 1) return found[0];
    return schema_error("expected one file for " + std::string(uid) + " in " + folder.string() +
                        ", found " + std::to_string(found.size()));
}

std::string sha256_of(std::string_view bytes) {
    std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
    SHA256(reinterpret_cast<unsigned char const*>(bytes.data()), bytes.size(), digest.data());
    std::string digits;
    boost::algorithm::hex_lower(digest, std::back_inserter(digits));
    return digits;
}

std::string why_outdated(ActionDefaults const& defaults, fs::path const& source,
                         std::string_view middleware) {
    if (defaults.middleware != middleware)
        return "the entry is for another middleware, " + defaults.middleware;
    auto const path = find_middleware(source, middleware);
    if (!path) return path.error().message;
    auto const text = read_text(*path);
    if (!text) return text.error().message;
    if (sha256_of(*text) == defaults.sha256) return {};
    return path->string() + " has changed: its checksum differs from the entry's sha256";
}

} // namespace db
