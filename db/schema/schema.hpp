#pragma once

#include "db/schema/attribute_types.hpp"
#include "db/schema/cms.hpp"
#include "db/schema/columns.hpp"
#include "db/schema/naming.hpp"
#include "parser/base/error.hpp"
#include "parser/query_tree.hpp"

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
struct Description;

// Strapi 5: all rows of a document have the same value in this column.
inline constexpr auto document_column = "document_id";
inline constexpr auto document_attribute = "documentId";

// Says where the pairs (entry, related entry) of an attribute are stored. Relations, media,
// components, zones and polymorphic relations share this struct, so that one statement reads any of
// them:
//
//     SELECT <target_column> FROM <table> WHERE <parent_column> IN (…)
//        [AND <field_column> = <field>] [AND <parent_type_column> = <parent_type>]
//        ORDER BY <order_column>
//
// The statement holds for all three places: `table` is the link table, the entry's own table or
// that of the related entry.
struct Link {
    enum class Storage : std::uint8_t {
        none,          // not stored: a scalar
        table,         // in a table of its own
        parent_column, // `target_column` of the entry's own row: createdBy, morph_to_one
        target_column, // `parent_column` of the related row: the inverse of parent_column
    };
    Storage storage = Storage::none;
    std::string table;
    std::string parent_column;       // id of the entry that has the attribute
    std::string target_column;       // id of the related entry
    std::string entry_column = "id"; // the related entry's column that `target_column` refers to
    std::string order_column;        // empty: the pairs have no order
    std::string field_column; // names the attribute where several share the table; else empty
    std::string field;
    std::string parent_type_column; // names the entry's type where several share it; else empty
    std::string parent_type;
    std::string target_type_column; // names the related entry's type: zones, morph_to_*
};

struct Attribute {
    std::string name;
    std::string json_key; // `"name":`, as in responses
    AttributeType type = AttributeType::string;
    std::string column;              // of a scalar; else empty
    ColumnType column_type;          // of a scalar
    std::vector<std::string> values; // the values of an enumeration
    bool is_private = false;         // `private`, or named in privateAttributes; in no response
    // The users of a role: in no response, though requests may name them. The plugin
    // users-permissions takes them out of all responses.
    bool is_withheld = false;
    bool searchable = true;      // `searchable: false` keeps a column out of `_q`
    bool is_creator = false;     // createdBy, updatedBy
    bool may_be_missing = false; // the database may lack it; that is no `MissingStorage`
    // What read_columns() knows of the column.
    Repertoire repertoire = Repertoire::unicode;
    bool is_tinyint = true; // of a boolean
    // A custom field. Only its plugin knows its type: a string until read_custom_fields().
    bool is_custom = false;

    RelationKind relation = RelationKind::one_to_one; // of a relation
    // Relations, media, components, zones:
    bool many = false;      // the response has a list: to-many, multiple, repeatable, zone
    bool owns_link = false; // false on the inverse side: mappedBy, morphBy, media
    Link link;
    ContentType const* target = nullptr;     // null for zones and morph_to_*
    std::vector<ContentType const*> targets; // of a zone, in schema order

    ScalarClass scalar() const { return facts_of(type).scalar; }
    bool is_scalar() const { return scalar() != ScalarClass::none; }
    bool is_relation() const { return type == AttributeType::relation; }
    // The related rows refer to this entry polymorphically.
    bool is_morph_inverse() const {
        return is_relation() &&
               (relation == RelationKind::morph_one || relation == RelationKind::morph_many);
    }
    // It is in no response, and its name is refused like one that does not exist.
    bool is_hidden() const { return is_private || type == AttributeType::password; }
    // It may be in responses.
    bool is_shown() const { return !is_hidden() && !is_withheld; }
    // Its related rows are the others of the same document: localizations of Strapi 5.
    bool is_of_document() const { return link.entry_column != "id"; }
    // Its related rows may be of several types; each pair names the type.
    bool is_polymorphic() const { return !link.target_type_column.empty(); }
    // Returns the attribute of the target that has the same pairs, seen from there; null if there
    // is none, or if this attribute has no single target.
    Attribute const* other_side() const;
};

// What the CMS says of an action of a content type: `find`, `findOne`; of users `count` and `me`,
// too.
struct DescribedAction {
    std::string handed_over;      // why the CMS has to answer it; empty: it need not
    bool needs_permission = true; // false: its route has `auth: false`
    // Names of the parameters that Strapi's strict mode lets through; absent: those of RouteRules.
    std::optional<std::vector<std::string>> parameters;
    parser::QueryEffect effect; // of the middlewares in its way
};

// A content type or a component.
struct ContentType {
    enum class Kind : std::uint8_t { collection, single, component };

    std::string uid; // api::article.article, plugin::upload.file, shared.seo
    Kind kind = Kind::collection;
    std::string singular; // a component's file name
    std::string plural;
    std::string collection; // the table's name before it was shortened
    std::string table;
    std::string components_table;    // pairs of its entries and their components
    std::vector<TableIndex> indexes; // those that the file itself declares
    bool has_documents = false;      // see Layout::has_documents
    bool draft_and_publish = false;
    bool localized = false;
    bool populate_creator_fields = false;
    // Schema::actions has `find` or `findOne` of the type.
    bool has_routes = false;
    // Says why the type is not served: it has code of its own, which no description explains
    // ("src/api/…/x.js has more code than Strapi generates"), or the database lacks its table or a
    // column that it must have. Empty if it is served.
    std::string not_served;
    // What the description says of its actions; empty without one: they are as Strapi makes them.
    std::map<std::string, DescribedAction, std::less<>> actions;
    // The content of its file as JSON, an extension's members in place of the plugin's. Empty for
    // the types of the admin panel.
    std::string declared;

    // documentId (Strapi 5); the declared ones in schema order; then createdAt, updatedAt,
    // publishedAt, createdBy, updatedBy, localizations, locale, as far as the type has them.
    std::vector<Attribute> attributes;
    // Indices of the attributes with a column, in the order of the table's columns, which is their
    // order in Strapi's responses. They are in schema order until `read_columns` is called.
    std::vector<std::size_t> column_order;

    // Returns a collection's plural or a single type's singular name, in lower case.
    std::string route_name() const;
    // Letter case matters. Returns null if there is none; `id` is not an attribute.
    Attribute const* find(std::string_view name) const;
    // Finds a scalar by its column's name (`created_at`), which Strapi accepts in some places.
    Attribute const* find_by_column(std::string_view column) const;
};

// A declaration of the project with which Strapi starts, but which no response can show.
struct Omission {
    std::string what; // `articles of plugin::users-permissions.user`, or the UID of a type
    std::string why;
};

// A table or column that a schema needs and the database lacks.
struct MissingStorage {
    std::string what;  // table `posts` does not exist; api::post.post needs it
    std::string table; // the missing table; empty: a column is missing
    auto operator<=>(MissingStorage const&) const = default;
};

struct Schema {
    Cms cms = strapi4;              // of the project and its tables
    std::optional<Release> release; // where it is known; may be newer than all that `cms` knows
    // Ordered by UID; they include components and the types of plugins and the admin panel.
    std::map<std::string, std::unique_ptr<ContentType>, std::less<>> types;
    // The project's own types that have routes, by the name in the URL in lower case.
    std::map<std::string, ContentType const*, std::less<>> routes;
    // The actions that a role can be granted because a route exists
    // (`api::article.article.findOne`, `plugin::users-permissions.user.me`). Strapi ignores
    // permissions for any other.
    std::set<std::string, std::less<>> actions;
    // The dependencies in the project's package.json by name, with the version as it is written
    // there. Strapi finds its plugins among them. Empty if there is no such file.
    std::map<std::string, std::string, std::less<>> dependencies;
    // Whether a text column holds less than Unicode; false until read_columns() is called.
    bool has_narrow_columns = false;
    // Whether a CMS has set up the database; true until set_has_cms() is called.
    bool has_cms = true;
    // Declarations that are left out: neither `types` nor the types' attributes have them.
    std::vector<Omission> left_out;
    // The files that have changed since the description was made.
    std::vector<std::string> changed_files;
    // What the settings of the CMS leave to it: users' tokens, since it ends sessions; requests for
    // files, since it signs their URLs; and unknown parameters, since it refuses them.
    bool has_sessions = false;
    bool has_private_files = false;
    bool refuses_parameters = false;
    // What read_columns() has found missing in the database; sorted.
    std::vector<MissingStorage> missing;

    ContentType const* find(std::string_view uid) const;
    // Finds a component that rows can be of: null if the database lacks its table.
    ContentType const* find_part(std::string_view uid) const;
    // Finds a type by its name in the URL, in any letter case: a collection's plural, a single
    // type's singular. Types of plugins have other routes and are not found here.
    ContentType const* find_route(std::string_view name) const;
};

struct SchemaOptions {
    std::vector<std::string> private_attributes; // config/api.js responses.privateAttributes
    Version version = Version::strapi4;
    std::optional<Release> release = {}; // absent: the newest that is known
    // What the CMS says of the project; null: its files alone count.
    std::shared_ptr<Description const> description = {};
};

// Reads a Strapi project: `folder` holds `src/`, or is that folder itself. The built-in types of
// the plugins are added; `src/extensions/<plugin>/content-types/<name>/schema.json` replaces their
// attributes as in Strapi. What keeps Strapi 4.26 itself from starting is an error: a file that
// can't be read, isn't JSON or contradicts another. Its message is for the operator, and names the
// file and what was expected. What Strapi starts with but never shows is left out.
//
// Types, actions and routes are those of the description, if there is one; of the files then counts
// what they hide, and that they are still those that were described.
parser::Result<std::shared_ptr<Schema>> load_schema(std::filesystem::path const& folder,
                                                    SchemaOptions const& options = {});

// Records whether a CMS has set up the database. Without one no code can guard or route a type:
// types of the project without a router file are served as if they had the generated one.
void set_has_cms(Schema& schema, bool has_cms);

// A column as the database describes it.
struct TableColumn {
    std::string name;
    std::string type = {};          // `tinyint(1)`, `varchar(255)`; empty: not known
    std::string character_set = {}; // of a text; else empty
    bool operator==(TableColumn const&) const = default;
};

// The database's tables: name -> columns in order.
using TableColumns = std::map<std::string, std::vector<TableColumn>, std::less<>>;

// Returns the version that the tables are of: only Strapi 5 has documents. Absent if no CMS has
// made any.
std::optional<Version> database_version(TableColumns const& tables);

// Says why these tables cannot be served: they are of a release of the CMS that stores less than
// the oldest one that is served. Absent if they can be served, or do not exist.
std::optional<std::string> too_old(TableColumns const& tables);

// Fits the schema to the database: sets every type's column_order and what attributes know of
// their columns, takes out the attributes whose
// column or link the database lacks, and marks as not served the types whose table it lacks, or
// whose drafts or locales it could not tell apart. Schema::missing says what is missing.
// Invalidates pointers to attributes.
void read_columns(Schema& schema, TableColumns const& tables);

} // namespace db
