#include "db/schema/declaration.hpp"
#include "db/schema/description.hpp"
#include "db/schema/project_folder.hpp"
#include "db/schema/scripts.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace db {

namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

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

using Declarations = std::vector<Declaration>;

// Types of plugins that are not built in are left out if they cannot be declared.
parser::Result<Declarations> declare_all(std::vector<SchemaFile> const& files,
                                         SchemaOptions const& options, Schema& schema) {
    Declarations declarations;
    for (auto const& file : files) {
        auto declaration = declare(file, options, schema.cms);
        if (declaration)
            declarations.push_back(std::move(*declaration));
        else if (file.is_of_unknown_plugin())
            schema.left_out.push_back({file.uid, declaration.error().message});
        else
            return declaration.error();
    }
    return declarations;
}

// Returns the type as its file would declare it.
json::object declared_content(json::object type) {
    auto* const options = type.if_contains("pluginOptions");
    auto const* const added = type.if_contains("added");
    bool const is_localized = added && added->is_object() && added->get_object().contains("locale");
    if (options && options->is_object() && !is_localized) options->get_object().erase("i18n");
    type.erase("added");
    return type;
}

// Returns the types of a description: all of the project, and those of plugins that are built in or
// that the project extends. Each has the code that `files` say.
std::vector<SchemaFile> described_files(Description const& description,
                                        std::vector<SchemaFile> const& files) {
    std::vector<SchemaFile> described;
    for (SchemaFile const& file : files)
        if (!file.is_new) described.push_back(file);
    auto const find = [](auto& all, std::string_view uid) {
        return std::ranges::find(all, uid, &SchemaFile::uid);
    };
    for (auto const* types : {&description.content_types, &description.components})
        for (auto const& [uid, type] : *types) {
            auto const declared = find(files, uid);
            bool const is_of_plugin = uid.starts_with("plugin::") || uid.starts_with("admin::");
            if (uid.starts_with("admin::") || (is_of_plugin && declared == files.end())) continue;
            auto found = find(described, uid);
            if (found == described.end())
                found = described.insert(found, {uid, "description: " + std::string(uid), {}, {}});
            if (declared != files.end()) found->code = declared->code;
            for (auto& [name, value] : declared_content(type.get_object()))
                found->content[name] = value;
        }
    return described;
}

// Hides what other declarations of the same types hide.
void hide_as(Declarations const& others, Declarations& declarations) {
    std::set<std::pair<std::string_view, std::string_view>> hidden;
    for (Declaration const& other : others)
        for (auto const& declared : other.attributes)
            if (declared.attribute.is_hidden())
                hidden.emplace(other.type.uid, declared.attribute.name);
    for (Declaration& declaration : declarations)
        for (auto& declared : declaration.attributes)
            declared.attribute.is_private |=
                hidden.contains({declaration.type.uid, declared.attribute.name});
}

// Returns what the UIDs of an API's types, or a plugin's, begin with if the file is code of theirs,
// as it is written or built; empty if it is not.
std::string scope_of_code(fs::path const& file) {
    std::vector<std::string> steps(file.begin(), file.end());
    if (!steps.empty() && steps[0] == "dist") steps.erase(steps.begin());
    if (steps.size() < 4 || steps[0] != "src") return {};
    if (steps[3] == "content-types" && steps.back() == "schema.json") return {};
    if (steps[1] == "api") return "api::" + normalized_name(steps[2]) + '.';
    if (steps[1] == "extensions") return "plugin::" + in_lower_case(steps[2]) + '.';
    return {};
}

// Of plugins' types, the actions that are described.
constexpr std::pair<std::string_view, std::string_view> plugin_actions[] = {
    {"plugin::users-permissions.user", "find"},
    {"plugin::users-permissions.user", "findOne"},
    {"plugin::users-permissions.user", "count"},
    {"plugin::users-permissions.user", "me"},
    {"plugin::upload.file", "find"},
    {"plugin::upload.file", "findOne"},
    {"plugin::upload.file", "findPage"},
    {"plugin::i18n.locale", "find"},
};

std::vector<std::string> described_actions(ContentType const& type, RouteRules const& rules) {
    if (type.uid.starts_with("api::")) return actions_of(type);
    std::vector<std::string> names;
    for (auto const& [uid, name] : plugin_actions)
        if (uid == type.uid && (name != "findPage" || rules.has_file_pages))
            names.emplace_back(name);
    return names;
}

// Applies a description to the types of a schema, once they are declared.
class Describer {
  public:
    Describer(Description const& description, Schema& schema)
        : description_(description), schema_(schema) {
        for (std::string const& file : schema.changed_files)
            if (auto scope = scope_of_code(file); !scope.empty())
                changed_.emplace(std::move(scope), file);
        auto const& settings = description.settings;
        auto const* sessions = settings.if_contains("jwtManagement");
        schema.has_sessions = sessions && sessions->is_string() && *sessions != "legacy-support";
        schema.has_private_files = is_set("upload", "private");
        schema.refuses_parameters = is_set("rest", "strictParams");
    }

    bool has_plugin_of(std::string_view action) const {
        auto const* plugins = description_.settings.if_contains("plugins");
        auto const name = action.substr(0, action.find('.')).substr(plugin.size());
        return !plugins || !plugins->is_object() || plugins->get_object().contains(name);
    }

    void describe(ContentType& type) const {
        bool const has_actions = type.kind != ContentType::Kind::component;
        if (has_actions && !description_.handed_over.empty())
            type.not_served = description_.handed_over.front();
        else if (type.uid.starts_with(plugin) && !has_plugin_of(type.uid))
            type.not_served = "the CMS does not have the plugin";
        for (auto const& name : described_actions(type, schema_.cms.routes)) {
            auto& action = type.actions[name] = described(type.uid, name);
            bool const is_there = action.handed_over != no_route && action.handed_over != unknown;
            if (is_there && action.needs_permission && type.uid.starts_with("api::"))
                schema_.actions.insert(type.uid + '.' + name);
            if (action.handed_over.empty()) action.handed_over = why_not(type.uid, action);
        }
    }

  private:
    static constexpr std::string_view plugin = "plugin::";
    static constexpr auto no_route = "it has no route"; // as the description has it
    static constexpr auto unknown = "the description does not have it";

    DescribedAction described(std::string_view uid, std::string_view name) const {
        auto const type = description_.actions.find(uid);
        if (type != description_.actions.end())
            if (auto const action = type->second.find(name); action != type->second.end())
                return action->second;
        DescribedAction none;
        none.handed_over = unknown;
        return none;
    }

    std::string why_not(std::string const& uid, DescribedAction const& action) const {
        // Without a caller, Strapi shows relations to types that nobody may read.
        if (!action.needs_permission) return "its route has `auth: false`";
        auto const changed = changed_.find(uid.substr(0, uid.find('.') + 1));
        if (changed == changed_.end()) return {};
        return changed->second + " has changed since the description was made";
    }

    bool is_set(std::string_view group, std::string_view name) const {
        auto const* members = description_.settings.if_contains(group);
        auto const* value =
            members && members->is_object() ? members->get_object().if_contains(name) : nullptr;
        return value && *value == true;
    }

    Description const& description_;
    Schema& schema_;
    std::map<std::string, std::string> changed_; // the beginning of UIDs -> a file of their code
};

// Finds the routes of the types, and what else than Strapi's code answers them.
parser::Result<void> read_routes(Schema& schema, Declarations const& declarations,
                                 Description const* description) {
    std::optional<Describer> describer;
    if (description) describer.emplace(*description, schema);
    for (auto const& action : builtin_actions(schema.cms.routes))
        if (!describer || describer->has_plugin_of(action)) schema.actions.insert(action);
    UniqueNames names("a name in the URL");
    for (auto const& declaration : declarations) {
        auto& type = *schema.types.at(declaration.type.uid);
        if (describer) describer->describe(type);
        // Of some types of plugins a description says nothing.
        if (!describer || (type.actions.empty() && type.not_served.empty())) {
            auto code = read_code(declaration.code, type);
            if (!code) return code.error();
            type.not_served = std::move(code->customised);
            for (auto const& action : code->actions)
                schema.actions.insert(type.uid + '.' + action);
        }
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
    auto const found = find_source(folder);
    Description const* const description = options.description.get();
    if (!found && (!description || found.error().kind == parser::ErrorKind::not_granted))
        return found.error();
    fs::path const source = found ? *found : folder;
    auto const schema = std::make_shared<Schema>();
    schema->cms = cms_at(options.version, options.release);
    schema->release = options.release;
    auto const files = read_files(source, schema->cms, schema->left_out);
    if (!files) return files.error();

    auto declarations = declare_all(*files, options, *schema);
    if (!declarations) return declarations.error();
    if (description) {
        auto const of_files = *std::move(declarations);
        schema->left_out.clear(); // the description has what code declares
        declarations = declare_all(described_files(*description, *files), options, *schema);
        if (!declarations) return declarations.error();
        hide_as(of_files, *declarations);
        schema->changed_files = changed_files(*description, project_of(source));
    }

    schema->dependencies = read_dependencies(source);
    for (auto const& declaration : *declarations)
        schema->types[declaration.type.uid] = std::make_unique<ContentType>(declaration.type);
    if (auto named = check_names(*declarations); !named) return named.error();
    if (auto linked = resolve_links(*schema, *declarations); !linked) return linked.error();
    if (auto routed = read_routes(*schema, *declarations, description); !routed)
        return routed.error();
    return schema;
}

} // namespace db
