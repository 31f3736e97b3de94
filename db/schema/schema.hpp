#pragma once

#include "db/schema/attribute_types.hpp"
#include "db/schema/cms.hpp"
#include "db/schema/column_type.hpp"
#include "db/schema/naming.hpp"
#include "parser/base/error.hpp"
#include "parser/default_parameters.hpp"

#include <compare>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// The content model: content types and components with every attribute resolved to the tables and
// columns that hold it, in the layout that Strapi 4.26 or 5.54 creates on MySQL and MariaDB.
//
// A Schema does not change once it is loaded and may be read from any thread. Pointers into it live
// as long as it does.

namespace db {

struct ContentType;

// Strapi 5: what the rows of a document have in common.
inline constexpr auto document_column = "document_id";
inline constexpr auto document_attribute = "documentId";

// Where the pairs (entry, related entry) of an attribute are stored. One shape for relations,
// media, components, zones and polymorphic relations, so that one way of reading serves them all:
//
//     SELECT <target_column> FROM <table> WHERE <parent_column> IN (…)
//        [AND <field_column> = <field>] [AND <parent_type_column> = <parent_type>]
//        ORDER BY <order_column>
//
// It holds for all three places: `table` is then the link table, the entry's own or the related
// one.
struct Link {
    enum class Place : std::uint8_t {
        none,          // not stored: a scalar
        table,         // in a table of its own
        parent_column, // `target_column` of the entry's own row: createdBy, morph_to_one
        target_column, // `parent_column` of the related row: the inverse of parent_column
    };
    Place place = Place::none;
    std::string table;
    std::string parent_column;       // id of the entry that has the attribute
    std::string target_column;       // id of the related entry
    std::string entry_column = "id"; // of the related entry's row, which `target_column` names
    std::string order_column;        // empty: the pairs have no order
    std::string field_column; // names the attribute where several share the table; else empty
    std::string field;
    std::string parent_type_column; // names the entry's type where several share it; else empty
    std::string parent_type;
    std::string target_type_column; // names the related entry's type: zones, morph_to_*
};

struct Attribute {
    std::string name;
    std::string json_key; // `"name":`, as answers have it
    AttributeType type = AttributeType::string;
    std::string column;              // of a scalar; empty for the rest
    ColumnType column_type;          // of a scalar
    std::vector<std::string> values; // that an enumeration may have
    bool is_private = false;         // `private`, or named in privateAttributes; never answered
    bool searchable = true;          // `searchable: false` keeps a column out of `_q`
    bool is_creator = false;         // createdBy, updatedBy
    bool may_be_missing = false;     // in the database, which then lacks nothing
    // A custom field. Its plugin has its type; a string until read_custom_fields().
    bool is_custom = false;

    RelationKind relation = RelationKind::one_to_one; // of a relation
    // Relations, media, components, zones:
    bool many = false;      // the answer is a list: to-many, multiple, repeatable, zone
    bool owns_link = false; // not the inverse side: mappedBy, morphBy, media
    Link link;
    ContentType const* target = nullptr;     // null for zones and morph_to_*
    std::vector<ContentType const*> targets; // of a zone, in schema order

    ScalarClass scalar() const { return facts_of(type).scalar; }
    bool is_scalar() const { return scalar() != ScalarClass::none; }
    bool is_relation() const { return type == AttributeType::relation; }
    // Nobody is answered it, and its name is refused like one that does not exist.
    bool is_hidden() const { return is_private || type == AttributeType::password; }
    // The rows behind it may be of several types, named row by row.
    bool is_polymorphic() const { return !link.target_type_column.empty(); }
    // The attribute of the target that shows the same pairs from there; null if there is none, and
    // for attributes without one target.
    Attribute const* other_side() const;
};

// A middleware of one action, which is not run: what stands for it, or why nothing does.
struct RouteMiddleware {
    std::string uid;
    parser::DefaultParameters parameters;
    std::string not_served; // empty: they stand for it
};

// A content type or a component.
struct ContentType {
    enum class Kind : std::uint8_t { collection, single, component };

    std::string uid; // api::article.article, plugin::upload.file, shared.seo
    Kind kind = Kind::collection;
    std::string singular; // of a component: its file name
    std::string plural;
    std::string collection; // the table's name before it was shortened
    std::string table;
    std::string components_table;    // which of its components it has
    std::vector<TableIndex> indexes; // that the file itself declares
    bool has_documents = false;      // see Layout::has_documents
    bool draft_and_publish = false;
    bool localized = false;
    bool populate_creator_fields = false;
    // A router file names it, so it has actions in Schema::actions.
    bool has_routes = false;
    // Why the type is not served: it has code of its own that we could not honour ("src/api/…/x.js
    // is more than Strapi generates"), or the database lacks its table. Empty: it is.
    std::string not_served;
    // Of `find` and `findOne`, where its router gives that one a middleware.
    std::map<std::string, RouteMiddleware, std::less<>> middlewares;
    // What its file says, as JSON; an extension's over what the plugin says. Empty for the types of
    // the admin panel.
    std::string declared;

    // In schema order; then createdAt, updatedAt, publishedAt, createdBy, updatedBy, localizations,
    // locale, as far as the type has them.
    std::vector<Attribute> attributes;
    // Indices of the attributes with a column, in the order of the table's columns: the order in
    // which Strapi answers them. Schema order until `read_columns` is called.
    std::vector<std::size_t> column_order;

    // A collection's plural, a single type's singular, in lower case.
    std::string route_name() const;
    // Exact, case-sensitive. Null if there is none; `id` is not an attribute.
    Attribute const* find(std::string_view name) const;
    // A scalar by its column's name (`created_at`), which the reference accepts in places.
    Attribute const* find_by_column(std::string_view column) const;
};

// What a project declares and Strapi starts with, and nobody can be answered.
struct LeftOut {
    std::string what; // `articles of plugin::users-permissions.user`, or the UID of a type
    std::string why;
};

// What a database lacks of a schema.
struct Lack {
    std::string what;  // table `posts` does not exist; api::post.post needs it
    std::string table; // that does not exist; empty: a column is missing
    auto operator<=>(Lack const&) const = default;
};

struct Schema {
    Cms cms = strapi4;              // whose project and tables these are
    std::optional<Release> release; // of it, where it is known; `cms` may know none as new
    // Ordered by UID, plugin and admin types and components included.
    std::map<std::string, std::unique_ptr<ContentType>, std::less<>> types;
    // The project's own types that have routes, by the name in the URL in lower case.
    std::map<std::string, ContentType const*, std::less<>> routes;
    // The actions that a role can be granted since a route exists (`api::article.article.findOne`,
    // `plugin::users-permissions.user.me`). Strapi ignores permissions for any other.
    std::set<std::string, std::less<>> actions;
    // Of the project's package.json, by name, with the version as it is written there. Strapi takes
    // its plugins from them. Empty where there is no such file.
    std::map<std::string, std::string, std::less<>> dependencies;
    // A CMS has set the database up. As if it had, until set_has_cms().
    bool has_cms = true;
    // Without these, and in no type's attributes.
    std::vector<LeftOut> left_out;
    // What the file of default parameters says and nothing comes of.
    std::vector<LeftOut> unused_defaults;
    // Nor with these, once read_columns() has found them missing; sorted.
    std::vector<Lack> lacks;

    ContentType const* find(std::string_view uid) const;
    // By the name in the URL, any letter case: a collection's plural, a single type's singular.
    // Plugin types have routes of other shapes and are not found here.
    ContentType const* find_route(std::string_view name) const;
};

struct SchemaOptions {
    std::vector<std::string> private_attributes; // config/api.js responses.privateAttributes
    Version version = Version::strapi4;
    std::optional<Release> release = {}; // absent: as the newest that is known
    // The file of default_parameters.hpp; empty: none. What it does not do is in
    // RouteMiddleware::not_served and Schema::unused_defaults, and no error.
    std::string default_parameters = {};
};

// Reads a Strapi project: `folder` holds `src/`, or is that folder itself. The built-in types of
// the plugins are added; `src/extensions/<plugin>/content-types/<name>/schema.json` replaces their
// attributes as in Strapi. What keeps Strapi 4.26 itself from starting is an error whose message,
// meant for the operator, names the file and what was expected: a file that can't be read, isn't
// JSON or contradicts another. What it starts with and never answers is left out.
parser::Result<std::shared_ptr<Schema>> load_schema(std::filesystem::path const& folder,
                                                    SchemaOptions const& options = {});

// That of the Strapi in the project's package.json; absent where none is named, or no number.
std::optional<Version> project_version(std::filesystem::path const& folder);

// Changes when a file of the project that load_schema() looks at is written, replaced, added or
// removed, whatever times it has: a sum over path, size, mtime, ctime and inode of each file and
// folder. A sum needs no order and, unlike a list, no memory: there may be thousands of files, and
// nobody asks which of them changed.
struct ProjectStamp {
    std::uint64_t digest = 0;
    std::size_t files = 0;
    bool operator==(ProjectStamp const&) const = default;
};
ProjectStamp stamp_of(std::filesystem::path const& folder);

// What follows from what the database says of a CMS. Without one there is no code that could guard
// or route a type: those that have no router file are served as if they had the generated one.
void set_has_cms(Schema& schema, bool has_cms);

// The tables as the database has them: name -> its columns in order.
using TableColumns = std::map<std::string, std::vector<std::string>, std::less<>>;

// What the tables are of: Strapi 5 has documents. Absent where no CMS has made any.
std::optional<Version> database_version(TableColumns const& tables);

// Why these tables cannot be served: they are of a release of the CMS that keeps less than the
// oldest which is. Absent: they can, or are not there.
std::optional<std::string> too_old(TableColumns const& tables);

// Fits the schema to the database: sets every type's column_order, takes out the attributes whose
// column or link the database lacks, and marks as not served the types whose table it lacks, or
// whose drafts or locales it could not tell apart. Schema::lacks says what is missing. Invalidates
// pointers to attributes.
void read_columns(Schema& schema, TableColumns const& tables);

} // namespace db
