#include "db/schema/customised.hpp"
#include "db/schema/declaration.hpp"
#include "db/schema/default_parameters.hpp"
#include "db/schema/folder.hpp"

#include <cstdlib>

namespace db {

namespace {

namespace fs = std::filesystem;

// Names that may occur only once, and the file that has each.
class Names {
  public:
    explicit Names(std::string what) : what_(std::move(what)) {}

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
    Names tables("a table");
    for (auto const& [path, code, type, attributes] : declarations) {
        auto added = tables.add(type.table, path);
        if (!added) return added;
        Names columns("a column");
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
    Names names("a name in the URL");
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

// A version as npm takes it (`5.54.0`, `^5`, `~5.1`) begins with the major one, or says nothing.
std::optional<Version> project_version(fs::path const& folder) {
    auto const source = find_source(folder);
    if (!source) return std::nullopt;
    auto const dependencies = read_dependencies(*source);
    auto const found = dependencies.find("@strapi/strapi");
    if (found == dependencies.end()) return std::nullopt;
    auto const digit = found->second.find_first_of("0123456789");
    if (digit == found->second.npos) return std::nullopt;
    return version_up_to(std::atoi(found->second.c_str() + digit));
}

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
