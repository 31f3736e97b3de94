#include "db/content/project.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

// Strapi adds these attributes to each type that needs them.
bool is_added(std::string_view attribute) {
    constexpr std::string_view added[] = {"createdAt", "updatedAt",    "publishedAt",
                                          "createdBy", "updatedBy",    "localizations",
                                          "locale",    "strapi_stage", "strapi_assignee"};
    return std::ranges::count(added, attribute) > 0;
}

json::object own_attributes(json::object const& schema) {
    json::object attributes;
    for (auto const& [name, attribute] : schema.at("attributes").as_object())
        if (!is_added(name)) attributes[name] = attribute;
    return attributes;
}

// Compares what an attribute is, where its values are, and who may see them.
bool is_same(json::value const& one, json::value const& other) {
    constexpr char const* members[] = {"type",       "relation",   "target",   "component",
                                       "components", "repeatable", "multiple", "enum",
                                       "inversedBy", "mappedBy",   "morphBy",  "useJoinTable",
                                       "columnType", "column",     "private",  "customField"};
    auto const* ours = one.if_object();
    auto const* theirs = other.if_object();
    return ours && theirs && std::ranges::all_of(members, [&](auto const* member) {
               auto const* left = ours->if_contains(member);
               auto const* right = theirs->if_contains(member);
               // Strapi may leave out what is false, or write it.
               auto const is_off = [](auto const* value) {
                   return !value || (value->is_bool() && !value->get_bool());
               };
               return (is_off(left) && is_off(right)) || (left && right && *left == *right);
           });
}

json::object file_of(json::object const& schema) {
    json::object file;
    for (auto const* member : {"kind", "collectionName", "info", "options", "pluginOptions"})
        if (auto const* value = schema.if_contains(member)) file[member] = *value;
    file["attributes"] = own_attributes(schema);
    return file;
}

bool is_name(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
}

// Returns where the project has the file of the type; empty if it has none.
parser::Result<fs::path> path_of(std::string const& uid) {
    auto const colons = uid.find("::");
    auto const begin = colons == uid.npos ? 0 : colons + 2;
    auto const dot = uid.find('.', begin);
    auto const scope = uid.substr(0, colons == uid.npos ? 0 : colons);
    auto const owner = uid.substr(begin, dot - begin);
    auto const name = dot == uid.npos ? std::string() : uid.substr(dot + 1);
    if (!is_name(owner) || !is_name(name))
        return archive_error("expected the UID of a type, received one with other characters");
    auto const type = fs::path(owner) / "content-types" / name / "schema.json";
    if (scope == "api") return "src/api" / type;
    if (scope == "plugin") return "src/extensions" / type;
    if (scope.empty()) return fs::path("src/components") / owner / (name + ".json");
    return fs::path();
}

parser::Result<void> write_json(fs::path const& path, json::value const& content) {
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    file << json::serialize(content) << '\n';
    file.close();
    if (error || !file)
        return parser::Error{parser::ErrorKind::configuration,
                             path.string() + ": cannot be written"};
    return {};
}

} // namespace

bool is_exported(std::string_view uid) {
    return !uid.starts_with("admin::") && !uid.starts_with("plugin::content-releases.");
}

parser::Result<void> write_project(ArchiveContents const& contents, fs::path const& folder) {
    std::error_code error;
    fs::create_directories(folder / "src/api", error);
    if (error)
        return parser::Error{parser::ErrorKind::configuration,
                             folder.string() + ": " + error.message()};
    for (auto const& [uid, schema] : contents.schemas) {
        if (!is_exported(uid)) continue;
        auto const path = path_of(uid);
        if (!path) return path.error();
        if (path->empty()) continue;
        if (auto written = write_json(folder / *path, file_of(schema)); !written) return written;
    }
    return write_json(folder / "package.json",
                      {{"name", "site"}, {"dependencies", {{"@strapi/strapi", contents.release}}}});
}

std::vector<std::string> schema_differences(ArchiveContents const& contents, Schema const& schema) {
    std::vector<std::string> differences;
    for (auto const& [uid, archived] : contents.schemas) {
        if (!is_exported(uid)) continue;
        auto const* type = schema.find(uid);
        if (!type) {
            differences.push_back(uid + ": the archive has this type, but the project does not");
            continue;
        }
        if (type->declared.empty()) continue;
        auto const declared = json::parse(type->declared);
        auto const ours = own_attributes(declared.as_object());
        auto const theirs = own_attributes(archived);
        for (auto const& [name, attribute] : theirs) {
            auto const place = uid + ": " + std::string(name) + ": ";
            auto const* found = ours.if_contains(name);
            if (!found)
                differences.push_back(place +
                                      "the archive has this attribute, but the project does not");
            else if (!is_same(*found, attribute))
                differences.push_back(place + "the project declares it differently");
        }
        for (auto const& [name, attribute] : ours)
            if (!theirs.contains(name))
                differences.push_back(uid + ": " + std::string(name) +
                                      ": the project has this attribute, but the archive does not");
    }
    for (auto const& [uid, type] : schema.types)
        if (is_exported(uid) && !contents.schemas.contains(uid))
            differences.push_back(uid + ": the project has this type, but the archive does not");
    return differences;
}

} // namespace db
