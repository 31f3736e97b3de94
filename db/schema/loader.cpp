#include "db/schema/declaration.hpp"
#include "db/schema/default_parameters.hpp"
#include "db/schema/project_folder.hpp"
#include "db/schema/scripts.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>

namespace db {

namespace {

namespace fs = std::filesystem;

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
    FileCollection(fs::path const& extensions, Cms const& cms, std::vector<Omission>& left_out)
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
    std::vector<Omission>& left_out_;
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

// Returns all schema files of a project, and the built-in ones. `source` is the folder that holds
// api/. Types that only code declares go to `left_out`.
parser::Result<std::vector<SchemaFile>> read_files(fs::path const& source, Cms const& cms,
                                                   std::vector<Omission>& left_out) {
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

// Names that may occur only once, and the file that has each.
class UniqueNames {
  public:
    explicit UniqueNames(std::string what) : what_(std::move(what)) {}

    parser::Result<void> add(std::string const& name, std::string const& path) {
        auto const [other, is_new] = paths_.emplace(name, path);
        if (is_new) return {};
        return schema_error(path + ": expected " + what_ + " of its own, but `" + name +
                            "` belongs to " + other->second);
    }

  private:
    std::string what_;
    std::map<std::string, std::string> paths_;
};

// Checks that each table, and each column of a table, is declared only once.
parser::Result<void> check_names(std::vector<Declaration> const& declarations) {
    UniqueNames tables("a table");
    for (auto const& [path, code, type, attributes] : declarations) {
        auto added = tables.add(type.table, path);
        if (!added) return added;
        UniqueNames columns("a column");
        for (auto const& declared : attributes) {
            auto const& attribute = declared.attribute;
            if (!attribute.is_scalar()) continue;
            added = columns.add(attribute.column, path + ": attributes." + attribute.name);
            if (!added) return added;
        }
    }
    return {};
}

// Applies the file of default parameters, at `path`, to the middlewares of the types' routes.
void apply_defaults(Schema& schema, fs::path const& source, std::string const& path) {
    auto read = path.empty() ? DefaultsFile() : read_defaults(path);
    if (!read) schema.unused_defaults.push_back({path, read.error().message});
    DefaultsFile file = read ? *std::move(read) : DefaultsFile();
    for (auto const& [uid, type] : schema.types)
        for (auto& [action, middleware] : type->middlewares) {
            auto const entry = file.extract(uid + '.' + action);
            middleware.not_served = "its route has the middleware " + middleware.uid;
            if (entry.empty()) continue;
            auto why = why_outdated(entry.mapped(), source, middleware.uid);
            if (why.empty())
                middleware.parameters = std::move(entry.mapped().parameters);
            else
                schema.unused_defaults.push_back({entry.key(), why});
            middleware.not_served = std::move(why);
        }
    for (auto const& [action, entry] : file)
        schema.unused_defaults.push_back({action, "none of its routes has a middleware"});
}

// Finds the routes of the types, and their code of their own.
parser::Result<void> read_routes(Schema& schema, std::vector<Declaration> const& declarations) {
    for (auto const& action : builtin_actions(schema.cms.routes))
        schema.actions.insert(action);
    UniqueNames names("a name in the URL");
    for (auto const& declaration : declarations) {
        auto& type = *schema.types.at(declaration.type.uid);
        auto code = read_code(declaration.code, type);
        if (!code) return code.error();
        type.not_served = std::move(code->customised);
        for (auto const& [action, uid] : code->middlewares)
            type.middlewares[action].uid = uid;
        for (auto const& action : code->actions)
            schema.actions.insert(type.uid + '.' + action);
        type.has_routes = schema.actions.contains(type.uid + ".find") ||
                          schema.actions.contains(type.uid + ".findOne");
        if (!type.has_routes || !type.uid.starts_with("api::")) continue;
        auto added = names.add(type.route_name(), declaration.path);
        if (!added) return added;
        schema.routes[type.route_name()] = &type;
    }
    return {};
}

} // namespace

parser::Result<std::shared_ptr<Schema>> load_schema(fs::path const& folder,
                                                    SchemaOptions const& options) {
    auto const source = find_source(folder);
    if (!source) return source.error();
    auto const schema = std::make_shared<Schema>();
    schema->cms = cms_at(options.version, options.release);
    schema->release = options.release;
    auto const files = read_files(*source, schema->cms, schema->left_out);
    if (!files) return files.error();

    std::vector<Declaration> declarations;
    for (auto const& file : *files) {
        auto declaration = declare(file, options, schema->cms);
        if (declaration)
            declarations.push_back(std::move(*declaration));
        else if (file.is_of_unknown_plugin())
            schema->left_out.push_back({file.uid, declaration.error().message});
        else
            return declaration.error();
    }

    schema->dependencies = read_dependencies(*source);
    for (auto const& declaration : declarations)
        schema->types[declaration.type.uid] = std::make_unique<ContentType>(declaration.type);
    if (auto named = check_names(declarations); !named) return named.error();
    if (auto linked = resolve_links(*schema, declarations); !linked) return linked.error();
    if (auto routed = read_routes(*schema, declarations); !routed) return routed.error();
    apply_defaults(*schema, *source, options.default_parameters);
    return schema;
}

} // namespace db
