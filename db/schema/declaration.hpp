#pragma once

#include "db/schema/schema.hpp"

#include <boost/json/object.hpp>

#include <optional>

// The schema files of a project as typed values, before names are resolved to tables. The steps of
// load_schema() are: files -> SchemaFile… -> declare() -> Declaration… -> resolve_links() ->
// Schema.

namespace db {

// Returns the error of a schema that can't be served; the message is for the operator.
inline parser::Error schema_error(std::string message) {
    return {parser::ErrorKind::configuration, std::move(message)};
}

// One content type or component as its file declares it.
struct SchemaFile {
    std::string uid;
    std::string path;            // for messages
    boost::json::object content; // an extension's replaces the built-in type's, by member
    // The folder of its routes, controllers and so on: src/api/<api>, src/extensions/<plugin>.
    std::filesystem::path code;

    // Whether it extends a type that is not built in, of which it need not declare everything.
    bool is_of_unknown_plugin() const { return is_new && uid.starts_with("plugin::"); }
    bool is_new = true; // no built-in type
};

// Returns the types of the plugins and the admin panel, as Strapi 4.26 and 5.54 declare them.
std::vector<SchemaFile> builtin_files(Cms const& cms);

// Returns the actions of the plugins' own read routes.
std::vector<std::string> builtin_actions(RouteRules const& routes);

// An attribute without its links, and the names from which these follow.
struct AttributeDeclaration {
    Attribute attribute;
    std::string target; // UID of a relation's, a component's or a media attribute's target
    // Present if the member is, whatever its value: that alone makes Strapi choose a side.
    std::optional<std::string> inversed_by;
    std::optional<std::string> mapped_by;
    std::string morph_by;
    bool use_join_table = true;
    bool is_localizations = false;       // the one that Strapi adds to a type
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
