#pragma once

#include "db/mysql/sql_text.hpp"
#include "db/schema/layout.hpp"
#include "db/schema/release.hpp"
#include "db/schema/rules.hpp"
#include "parser/query_tree.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// Everything that versions of the CMS do differently. A version is one value of type Cms, in a file
// of its own: strapi4.cpp, strapi5.cpp. The value describes the newest release that is known, and
// lists what older releases do differently. Code reads the value, and never asks which version or
// release it is.

namespace db {

// The parts of the JSON of entries that depend on the version, and on the format that the client
// asked for.
struct JsonRules {
    // The attributes of an entry of the project's own types stand in an object `attributes`, and
    // its relations in `data`.
    bool has_attributes;
    // documentId stands beside the attributes, not among them.
    bool sets_document_apart;
    // `__component` and `__type` are the last members; else they come right after the id.
    bool type_is_last;
    // A polymorphic relation to one entry has `__type` too.
    bool one_says_type;
    // Empty lists are [], but those of media and of the inverse side of a polymorphic relation are
    // null.
    bool empty_can_be_null;
    // An empty polymorphic relation to many has no key, except behind the inverse side of one.
    bool empty_can_be_absent;
    // In entries that are flat all the way down, counts are wrapped as elsewhere.
    bool wraps_flat_counts;
};

// How users and tokens are stored and checked.
//
// Strapi 4.26 first tries a bearer token as a user's JWT, and 5.54 as an API token: no text is
// both, so the order changes no response.
struct AccountRules {
    // Names of the link tables, and of the columns that order their rows: the permissions of a
    // role, the role of a user, the permissions of a token.
    char const* permission_role;
    char const* permission_order;
    char const* user_role;
    char const* token_permission;
    char const* token_permission_order;
    // JWTs signed with HS384 or HS512 are accepted, not only those signed with HS256.
    bool takes_longer_hashes;
};

// The read routes, and the names of the parameters that those of the project's own types take. The
// first name in `entry` is in the path.
struct RouteRules {
    std::span<std::string_view const> list;
    std::span<std::string_view const> entry;
    std::span<std::string_view const> single;
    bool files_say_signed; // each file says whether its URL is signed
    bool has_file_pages;   // upload/files/page
};

// The rules for an entry that is written.
struct EntryRules {
    // An entry that does not say whether it is published is a draft.
    bool is_draft_by_default;
    // Drafts may have values that the schema file does not allow.
    bool drafts_are_free;
    // No two published entries in one locale have the same value of a unique attribute, except the
    // empty text; values in components are compared within one entry. If this is
    // false, no two rows have the same value.
    bool published_are_unique;
};

// Attributes of the types that Strapi and its plugins declare.
struct BuiltinAttributes {
    // By type, as JSON: the attributes that this version declares differently from Strapi 4.26, and
    // additional ones. An additional one follows the attribute that is named before it.
    std::string_view declared;
    // An attribute that only later releases of the version have, so that a database may lack it.
    struct Recent {
        std::string_view uid;
        std::string_view attribute;
    };
    std::span<Recent const> recent;
    // Where content types are listed, a relation says whether it is required.
    bool relations_say_required;
};

// The rows that Strapi and its plugins add to a new database.
struct InitialRows {
    // A permission of a role, and its place in Strapi's order: permissions that are added together
    // all have the same place.
    struct Grant {
        SqlPiece action;
        std::uint64_t order;
    };
    std::span<Grant const> authenticated;
    std::span<Grant const> everybody;
    // Names of the migrations that have nothing to do in new tables; empty: there is no table for
    // them.
    std::span<SqlPiece const> migrations;
};

struct Cms;

// Something that releases before `until` do differently. If `apply` is null it is not done here:
// they are served as if they did not differ, and `check` reports it.
struct Difference {
    Release until;
    std::string_view what; // for the operator: what those releases do
    void (*apply)(Cms&);
};

struct Cms {
    Version version;
    Release newest; // the newest that is known
    // The oldest that is served exactly; what is listed of older ones is not complete.
    Release oldest_exact;
    std::span<Difference const> differences;
    Layout layout;
    parser::QueryRules reading;
    Rules rules;
    JsonRules json;
    std::optional<JsonRules> json_of_v4; // `Strapi-Response-Format: v4`, if that differs
    AccountRules accounts;
    RouteRules routes;
    EntryRules entries;
    BuiltinAttributes builtin;
    InitialRows initial;
    // Indexes that it did not create are dropped when its types change, unless config/database says
    // `strictSyncSchema: false`.
    bool drops_other_indexes;
};

extern Cms const strapi4;
extern Cms const strapi5;

// Returns the value of the version's newest release.
Cms const& cms_of(Version version);

// Returns the value of a release of the version. It is that of the newest one if the release is not
// known, is newer, or is of another version.
Cms cms_at(Version version, std::optional<Release> const& release);

} // namespace db
