#include "db/schema/declaration.hpp"
#include "db/schema/folder.hpp"
#include "parser/lexer.hpp"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/json.hpp>

#include <algorithm>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

// Reads JSON as jsonfile does for Strapi: bytes that are not UTF-8 are replaced, and no error.
parser::Result<json::object> read_object(fs::path const& path) {
    auto text = read_text(path);
    if (!text) return text.error();
    parser::replace_invalid_utf8(*text);
    json::stream_parser parsed;
    json::error_code error;
    std::size_t const end = parsed.write_some(*text, error);
    if (!error && end < text->size()) error = json::error::extra_data;
    if (!error) parsed.finish(error);
    if (error) {
        auto const line = 1 + std::count(text->begin(), text->begin() + std::ptrdiff_t(end), '\n');
        return schema_error(path.string() + ':' + std::to_string(line) + ": expected JSON, found " +
                            error.message());
    }
    auto value = parsed.release();
    if (!value.is_object()) return schema_error(path.string() + ": expected a JSON object");
    return std::move(value.get_object());
}

// Strapi ignores these.
bool is_hidden(fs::path const& path) {
    return path.filename().string().starts_with('.');
}

std::string in_lower_case(fs::path const& name) {
    return boost::to_lower_copy(name.string(), std::locale::classic());
}

// Starts with the built-in types. A file for one of them replaces its members one by one, as an
// extension does in Strapi with a plugin's type.
class FileCollection {
  public:
    FileCollection(fs::path const& extensions, Cms const& cms, std::vector<LeftOut>& left_out)
        : files_(builtin_files(cms)), left_out_(left_out) {
        for (auto& file : files_)
            if (file.uid.starts_with("plugin::"))
                file.code = extensions / file.uid.substr(8, file.uid.find('.') - 8);
    }

    // Adds each <folder>/content-types/<name>/schema.json under the name that `named` makes of
    // <name>.
    template<class Named>
    parser::Result<void> add_content_types(std::string const& scope, fs::path const& folder,
                                           Named named) {
        auto const types = entries_of(folder / "content-types");
        if (!types) return types.error();
        for (auto const& type : *types) {
            auto const uid = scope + '.' + named(type.filename().string());
            auto added = add_schema(uid, type / "schema", folder);
            if (!added) return added;
        }
        return {};
    }

    // UIDs are in lower case, whatever the names of the files are.
    parser::Result<void> add_components(fs::path const& category) {
        auto const found = entries_of(category);
        if (!found) return found.error();
        std::set<fs::path> names; // without their endings
        for (auto const& path : *found)
            if (is_script(path) || path.extension() == ".json")
                names.insert(path.parent_path() / path.stem());
        for (auto const& name : names) {
            if (is_hidden(name)) continue;
            auto const uid =
                in_lower_case(category.filename()) + '.' + in_lower_case(name.filename());
            auto added = add_schema(uid, name, category);
            if (!added) return added;
        }
        return {};
    }

    std::vector<SchemaFile> take() { return std::move(files_); }

  private:
    static bool is_script(fs::path const& path) {
        return path.extension() == ".js" ||
               (path.extension() == ".ts" && !path.stem().has_extension());
    }

    // Adds `path`.json. If there is only code, which only a CMS can run, the type is left out.
    parser::Result<void> add_schema(std::string const& uid, fs::path const& path,
                                    fs::path const& code) {
        std::error_code error;
        if (fs::exists(path.string() + ".json", error))
            return add(uid, path.string() + ".json", code);
        if (error) return unreadable(path.string() + ".json", error);
        for (std::string const ending : {".js", ".ts"})
            if (fs::exists(path.string() + ending, error))
                left_out_.push_back({uid, path.string() + ending + " is code instead of JSON"});
        return {};
    }

    parser::Result<void> add(std::string const& uid, fs::path const& path, fs::path const& code) {
        auto content = read_object(path);
        if (!content) return content.error();
        auto found = std::ranges::find(files_, uid, &SchemaFile::uid);
        if (!added_.insert(uid).second)
            return schema_error(path.string() + ": expected a UID of its own, but " + uid +
                                " is declared by " + found->path);
        if (found == files_.end()) found = files_.insert(found, {uid, {}, {}, {}, true});
        for (auto& [key, value] : *content)
            found->content[key] = std::move(value);
        found->path = path.string();
        found->code = code;
        return {};
    }

    std::vector<SchemaFile> files_;
    std::set<std::string> added_;
    std::vector<LeftOut>& left_out_;
};

// Returns the folders in a folder that Strapi looks at.
parser::Result<std::vector<fs::path>> folders(fs::path const& folder) {
    auto found = entries_of(folder);
    if (!found) return found;
    std::erase_if(*found, [](fs::path const& path) {
        std::error_code error;
        return is_hidden(path) || !fs::is_directory(path, error);
    });
    return found;
}

} // namespace

parser::Result<std::vector<SchemaFile>> read_files(fs::path const& source, Cms const& cms,
                                                   std::vector<LeftOut>& left_out) {
    FileCollection files(source / "extensions", cms, left_out);
    auto const apis = folders(source / "api");
    auto const plugins = folders(source / "extensions");
    auto const categories = folders(source / "components");
    for (auto const* all : {&apis, &plugins, &categories})
        if (!*all) return all->error();
    for (auto const& api : *apis) {
        auto const scope = "api::" + normalized_name(api.filename().string());
        auto added = files.add_content_types(scope, api, normalized_name);
        if (!added) return added.error();
    }
    for (auto const& plugin : *plugins) {
        auto const scope = "plugin::" + in_lower_case(plugin.filename());
        auto added = files.add_content_types(scope, plugin, in_lower_case);
        if (!added) return added.error();
    }
    for (auto const& category : *categories) {
        auto added = files.add_components(category);
        if (!added) return added.error();
    }
    return files.take();
}

std::map<std::string, std::string, std::less<>> read_dependencies(fs::path const& source) {
    std::map<std::string, std::string, std::less<>> dependencies;
    // A project of Strapi 3 has package.json beside api/.
    auto package = read_object(source / "package.json");
    if (!package) package = read_object(source / ".." / "package.json");
    auto const* listed = package ? package->if_contains("dependencies") : nullptr;
    if (!listed || !listed->is_object()) return dependencies;
    for (auto const& [name, version] : listed->get_object())
        if (version.is_string()) dependencies.emplace(name, version.get_string());
    return dependencies;
}

} // namespace db
