#pragma once

#include "db/schema/schema.hpp"

#include <boost/json/object.hpp>

#include <optional>

// The schema files of a project as typed values, before names are resolved to tables. Inside of
// load_schema(): read_declarations() -> Declaration… -> resolve_links() -> Schema.

namespace db {

// What to tell the operator about a schema that can't be served.
inline parser::Error schema_error(std::string message) {
    return {parser::ErrorKind::configuration, std::move(message)};
}

// One content type or component as its file says it.
struct SchemaFile {
    std::string uid;
    std::string path;            // for messages
    boost::json::object content; // of an extension: over the built-in type's
    // Where the type's routes, controllers and so on are: src/api/<api>, src/extensions/<plugin>.
    std::filesystem::path code;

    // An extension of a type that is not built in: what it says need not be all of it.
    bool is_of_unknown_plugin() const { return is_new && uid.starts_with("plugin::"); }
    bool is_new = true; // no built-in type
};

// The plugins' and the admin panel's types, as Strapi 4.26 and 5.54 declare them.
std::vector<SchemaFile> builtin_files(Cms const& cms);

// The actions of the plugins' own read routes.
std::vector<std::string> builtin_actions(RouteRules const& routes);

// The column of a scalar: what its type asks for, unless `columnType` and `column` say otherwise.
ColumnType column_type(AttributeType type, boost::json::object const& attribute,
                       Layout const& layout);

// The `indexes` of a schema file. What is no index is left out: only Strapi's own types have any.
std::vector<TableIndex> declared_indexes(boost::json::object const& file);

// All schema files of a project and the built-in ones. `source` is the folder that holds api/.
// Types that only code declares go to `left_out`.
parser::Result<std::vector<SchemaFile>> read_files(std::filesystem::path const& source,
                                                   Cms const& cms, std::vector<LeftOut>& left_out);

// The dependencies of the package.json beside `source`, which is a project's src/.
std::map<std::string, std::string, std::less<>>
read_dependencies(std::filesystem::path const& source);

// An attribute without its links, and the names from which they follow.
struct AttributeDeclaration {
    Attribute attribute;
    std::string target; // UID of a relation's, a component's or a media attribute's target
    // Present where the member is, whatever it holds: that alone makes Strapi take a side.
    std::optional<std::string> inversed_by;
    std::optional<std::string> mapped_by;
    std::string morph_by;
    bool use_join_table = true;
    bool is_localizations = false;       // those that a type has by itself
    std::vector<std::string> components; // UIDs, of a zone
};

struct Declaration {
    std::string path;
    std::filesystem::path code;
    ContentType type; // without attributes
    std::vector<AttributeDeclaration> attributes;
};

parser::Result<Declaration> declare(SchemaFile const& file, SchemaOptions const& options,
                                    Cms const& cms);

// Fills the attributes of `schema.types`, which hold the declared types without them, and
// `schema.left_out`.
parser::Result<void> resolve_links(Schema& schema, std::vector<Declaration> const& declarations);

} // namespace db
