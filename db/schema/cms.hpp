#pragma once

#include "db/schema/layout.hpp"
#include "db/schema/release.hpp"
#include "db/schema/rules.hpp"
#include "db/sql/sql_text.hpp"
#include "parser/reading.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

// All that versions of the CMS do differently. A version is one value of type Cms, in a file of its
// own: strapi4.cpp, strapi5.cpp. It is that of the newest release that is known, with a list of
// what older ones do otherwise. Code asks the value for what is done differently, never for the
// version or the release.

namespace db {

// What of the JSON of entries depends on the version, and on the format that the client asked for.
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
    // Lists without entries are [], but those of media and of what is related to an entry
    // polymorphically are null.
    bool empty_can_be_null;
    // A polymorphic list without entries has no key.
    bool empty_can_be_absent;
    // Below entries that are flat all the way down, counts stand as elsewhere, and the parts of a
    // zone say `__type`.
    bool wraps_flat_counts;
    bool flat_parts_say_type;
};

// Users and tokens.
//
// Strapi 4.26 takes a bearer for a user's JWT first, and 5.54 for an API token: no text is both, so
// that which is looked for first changes no answer.
struct AccountRules {
    // Which permissions a role has and where each stands among them, which role a user, which
    // permissions a token and where each stands among them.
    char const* permission_role;
    char const* permission_order;
    char const* user_role;
    char const* token_permission;
    char const* token_permission_order;
    // JWTs are taken that HS384 or HS512 signed, not those of HS256 alone.
    bool takes_longer_hashes;
};

// The read routes, and which parameters those of the project's own types take, by name. The first
// one of an entry is in its path.
struct RouteRules {
    std::span<std::string_view const> list;
    std::span<std::string_view const> entry;
    std::span<std::string_view const> single;
    bool files_say_signed; // each file says whether its URL is signed
    bool has_file_pages;   // upload/files/page
};

// What an entry that is written must satisfy.
struct EntryRules {
    // An entry that does not say whether it is published is a draft.
    bool is_draft_by_default;
    // Drafts need not satisfy what the schema file says of values.
    bool drafts_are_free;
    // No two published entries in one language have the same value of a unique attribute, but the
    // empty text; and those of components are compared within one entry. If not, no two rows have.
    bool published_are_unique;
};

// Attributes of the types that Strapi and its plugins declare.
struct BuiltinAttributes {
    // By type, as JSON: those that this version declares otherwise than Strapi 4.26, or besides.
    // The latter stand behind the one that is named before them.
    std::string_view declared;
    // Those that only later releases of the version have, so that a database may well lack them.
    struct Recent {
        std::string_view uid;
        std::string_view attribute;
    };
    std::span<Recent const> recent;
    // A relation says whether it is required, where content types are listed.
    bool relations_say_required;
};

// The rows that Strapi and its plugins add to a new database.
struct InitialRows {
    // A permission of a role, and its place, as Strapi orders these: those that are added together
    // are all the first of them.
    struct Grant {
        SqlPiece action;
        std::uint64_t order;
    };
    std::span<Grant const> authenticated;
    std::span<Grant const> everybody;
    // Migrations that have nothing to do in new tables; none: there is no table of them.
    std::span<SqlPiece const> migrations;
};

struct Cms;

// What releases before `until` do otherwise. Where `apply` is null it is not done here: they are
// served as if it was not so, and `check` says it.
struct Difference {
    Release until;
    std::string_view what; // for the operator, of those releases
    void (*apply)(Cms&);
};

struct Cms {
    Version version;
    Release newest; // that is known
    // The least that is served exactly; what is different before is named, and not complete.
    Release oldest_exact;
    std::span<Difference const> differences;
    Layout layout;
    parser::Reading reading;
    Rules rules;
    JsonRules json;
    std::optional<JsonRules> json_of_v4; // with `Strapi-Response-Format: v4`, if that is another
    AccountRules accounts;
    RouteRules routes;
    EntryRules entries;
    BuiltinAttributes builtin;
    InitialRows initial;
};

extern Cms const strapi4;
extern Cms const strapi5;

// Its newest release.
Cms const& cms_of(Version version);

// A release of the version, or its newest: that is what is served where the release is not known,
// is newer, or is one of another version.
Cms cms_at(Version version, std::optional<Release> const& release);

} // namespace db
