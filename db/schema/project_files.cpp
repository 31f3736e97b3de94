#include "db/schema/declaration.hpp"
#include "db/schema/text_file.hpp"

#include <boost/json.hpp>

#include <algorithm>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

// The entries of a folder, by name; none if it does not exist.
std::vector<fs::path> entries(fs::path const& folder) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (auto const& entry : fs::directory_iterator(folder, ignored))
        found.push_back(entry.path());
    std::ranges::sort(found);
    return found;
}

parser::Result<json::object> read_object(fs::path const& path) {
    auto const text = read_text(path);
    if (!text) return schema_error(path.string() + ": expected a file that can be read");
    json::error_code error;
    auto value = json::parse(*text, error);
    if (error) return schema_error(path.string() + ": expected JSON, found " + error.message());
    if (!value.is_object()) return schema_error(path.string() + ": expected a JSON object");
    return std::move(value.get_object());
}

// Starts with the built-in types. A file for one of them goes over it, member by member, as Strapi
// puts an extension over a plugin's type.
class FileCollection {
  public:
    explicit FileCollection(fs::path const& extensions) : files_(builtin_files()) {
        for (auto& file : files_)
            if (file.uid.starts_with("plugin::"))
                file.code = extensions / file.uid.substr(8, file.uid.find('.') - 8);
    }

    parser::Result<void> add(std::string uid, fs::path const& path, fs::path const& code) {
        auto content = read_object(path);
        if (!content) return content.error();
        auto found = std::ranges::find(files_, uid, &SchemaFile::uid);
        if (!added_.insert(uid).second)
            return schema_error(path.string() + ": expected a UID of its own, " + uid +
                                " is declared by " + found->path);
        if (found == files_.end()) found = files_.insert(found, {std::move(uid), {}, {}, {}});
        for (auto& [key, value] : *content)
            found->content[key] = std::move(value);
        found->path = path.string();
        found->code = code;
        return {};
    }

    // <folder>/content-types/<name>/schema.json
    parser::Result<void> add_content_types(std::string const& scope, fs::path const& folder) {
        for (auto const& type : entries(folder / "content-types")) {
            auto const path = type / "schema.json";
            std::error_code ignored;
            if (!fs::exists(path, ignored)) continue;
            auto added = add(scope + '.' + kebab_case(type.filename().string()), path, folder);
            if (!added) return added;
        }
        return {};
    }

    parser::Result<void> add_components(fs::path const& category) {
        for (auto const& path : entries(category)) {
            if (path.extension() != ".json") continue;
            auto added =
                add(category.filename().string() + '.' + path.stem().string(), path, category);
            if (!added) return added;
        }
        return {};
    }

    std::vector<SchemaFile> take() { return std::move(files_); }

  private:
    std::vector<SchemaFile> files_;
    std::set<std::string> added_;
};

} // namespace

parser::Result<std::vector<SchemaFile>> read_files(fs::path const& source) {
    FileCollection files(source / "extensions");
    for (auto const& api : entries(source / "api")) {
        auto added = files.add_content_types("api::" + kebab_case(api.filename().string()), api);
        if (!added) return added.error();
    }
    for (auto const& plugin : entries(source / "extensions")) {
        auto added = files.add_content_types("plugin::" + plugin.filename().string(), plugin);
        if (!added) return added.error();
    }
    for (auto const& category : entries(source / "components")) {
        auto added = files.add_components(category);
        if (!added) return added.error();
    }
    return files.take();
}

std::map<std::string, std::string, std::less<>> read_dependencies(fs::path const& source) {
    std::map<std::string, std::string, std::less<>> dependencies;
    auto const package = read_object(source / ".." / "package.json");
    auto const* listed = package ? package->if_contains("dependencies") : nullptr;
    if (!listed || !listed->is_object()) return dependencies;
    for (auto const& [name, version] : listed->get_object())
        if (version.is_string()) dependencies.emplace(name, version.get_string());
    return dependencies;
}

} // namespace db
