#include "db/schema/customised.hpp"
#include "db/schema/declaration.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
#include <array>
#include <chrono>

#include <fts.h>
#include <sys/stat.h>

namespace db {

namespace {

namespace fs = std::filesystem;

// `src/` of a project, or the folder itself.
parser::Result<fs::path> find_source(fs::path const& folder) {
    std::error_code ignored;
    for (auto const& source : {folder / "src", folder})
        if (fs::is_directory(source / "api", ignored)) return source;
    return schema_error(
        "schema: expected the folder of a Strapi 4 project, with src/api/ in it, not '" +
        folder.string() + "'");
}

} // namespace

// By fts(3): the iterators of std::filesystem end the process where memory runs out.
ProjectStamp stamp_of(fs::path const& folder) {
    struct Close {
        void operator()(FTS* files) const { ::fts_close(files); }
    };
    ProjectStamp stamp;
    auto const source = find_source(folder);
    std::array<std::string, 3> parts{"api", "components", "extensions"};
    std::array<char*, 4> paths{};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i] = (source ? *source / parts[i] : folder / parts[i]).string();
        paths[i] = parts[i].data();
    }
    std::unique_ptr<FTS, Close> const files(
        ::fts_open(paths.data(), FTS_LOGICAL | FTS_NOCHDIR, nullptr));
    // What can't be read now is what load_schema() will complain about.
    while (FTSENT const* file = files ? ::fts_read(files.get()) : nullptr) {
        if (file->fts_info != FTS_F && file->fts_info != FTS_D) continue;
        auto const& written = file->fts_statp->st_mtim; // since 1970
        auto const time =
            std::chrono::seconds(written.tv_sec) + std::chrono::nanoseconds(written.tv_nsec);
        stamp.newest = std::max(stamp.newest, fs::file_time_type(time));
        ++stamp.files;
    }
    return stamp;
}

namespace {

// Names that may occur once only, and the file that has each.
class Names {
  public:
    explicit Names(std::string what) : what_(std::move(what)) {}

    parser::Result<void> add(std::string const& name, std::string const& path) {
        auto const [other, is_new] = paths_.emplace(name, path);
        if (is_new) return {};
        return schema_error(path + ": expected " + what_ + " of its own, `" + name +
                            "` is that of " + other->second);
    }

  private:
    std::string what_;
    std::map<std::string, std::string> paths_;
};

std::string route_name(ContentType const& type) {
    auto const& name = type.kind == ContentType::Kind::single ? type.singular : type.plural;
    return boost::to_lower_copy(name, std::locale::classic());
}

// Every table once, and every column of a table.
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

// Which routes the types have, and which code of their own.
parser::Result<void> read_routes(Schema& schema, std::vector<Declaration> const& declarations) {
    for (auto const& action : builtin_actions())
        schema.actions.insert(action);
    Names names("a name in the URL");
    for (auto const& declaration : declarations) {
        auto& type = *schema.types.at(declaration.type.uid);
        auto code = read_code(declaration.code, type);
        type.not_served = std::move(code.customised);
        for (auto const& action : code.actions)
            schema.actions.insert(type.uid + '.' + action);
        type.has_routes = schema.actions.contains(type.uid + ".find") ||
                          schema.actions.contains(type.uid + ".findOne");
        if (!type.has_routes || !type.uid.starts_with("api::")) continue;
        auto added = names.add(route_name(type), declaration.path);
        if (!added) return added;
        schema.routes[route_name(type)] = &type;
    }
    return {};
}

} // namespace

parser::Result<std::shared_ptr<Schema>> load_schema(fs::path const& folder,
                                                    SchemaOptions const& options) {
    auto const source = find_source(folder);
    if (!source) return source.error();
    auto const files = read_files(*source);
    if (!files) return files.error();

    std::vector<Declaration> declarations;
    for (auto const& file : *files) {
        auto declaration = declare(file, options);
        if (!declaration) return declaration.error();
        declarations.push_back(std::move(*declaration));
    }

    auto const schema = std::make_shared<Schema>();
    schema->dependencies = read_dependencies(*source);
    for (auto const& declaration : declarations)
        schema->types[declaration.type.uid] = std::make_unique<ContentType>(declaration.type);
    if (auto named = check_names(declarations); !named) return named.error();
    if (auto linked = resolve_links(*schema, declarations); !linked) return linked.error();
    if (auto routed = read_routes(*schema, declarations); !routed) return routed.error();
    return schema;
}

} // namespace db
