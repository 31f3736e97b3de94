#pragma once

#include "db/mysql/sql_text.hpp"
#include "db/schema/naming.hpp"
#include "parser/query_tree.hpp"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

// Everything that versions of the CMS do differently. A version is one value of type Cms, in a file
// of its own: strapi4.cpp, strapi5.cpp. The value describes the newest release that is known, and
// lists what older releases do differently. Code reads the value, and never asks which version or
// release it is.

namespace db {

// The major version of the CMS that made the tables.
enum class Version : std::uint8_t { strapi4 = 4, strapi5 = 5 };
inline constexpr Version all_versions[] = {Version::strapi4, Version::strapi5}; // ascending

// Returns the newest version that is not above this major one, else the first.
constexpr Version version_up_to(long major) {
    Version found = all_versions[0];
    for (Version const version : all_versions)
        if (static_cast<long>(version) <= major) found = version;
    return found;
}

// A release of the CMS.
struct Release {
    std::uint16_t major = 0;
    std::uint16_t minor = 0;
    std::uint16_t patch = 0;
    auto operator<=>(Release const&) const = default;

    std::string text() const; // `5.30.1`
};

// Reads `5.30.1`, or `5.30`, which is 5.30.0; what follows the numbers is ignored. Absent if there
// is no minor number.
std::optional<Release> read_release(std::string_view text);

// The parts of binding that depend on the version of the CMS: which names a request may use, which
// rows it gets, and what a comparison means.
struct BindingRules {
    // All names of all parameters are validated before anything is bound (db/plan).
    bool validates_names;
    // The column that the id in a path is compared with.
    char const* id_column;
    // An entry that is requested by its id must satisfy the rest of the query too.
    bool one_obeys_query;
    // An invalid `status` is an error only if something that is read has drafts.
    bool status_is_of_drafts;
    // A filter on the locale replaces `locale`.
    bool filters_replace_locale;
    // Fragments (`on`) show drafts if the entries around them do.
    bool fragments_inherit_state;
    // A polymorphic relation is populated type by type: `on` names the types that are shown, each
    // with its options. Without `on` every content type is shown, without options; with
    // cuts_populate, other options hide the relation. Its rows can be counted. If not, options
    // apply to all types, and a relation to one also shows types that `on` does not name.
    bool populates_by_type;
    // `fields` leaves out the columns that say which entry a row belongs to polymorphically, so
    // that populating it from that entry finds no rows.
    bool fields_cut_polymorphic;
    // Rows that belong to an entry polymorphically, and all that is populated below them, are
    // returned with their locale, localized or not. (Strapi 5.54 shows all private attributes
    // there; the locale is no secret.)
    bool inverses_show_locale;
    // In a path of `populate`, a name that the caller may not see ends the text, and blanks around
    // names are ignored. If not, such a text has no effect. See named_members().
    bool ends_text_at_unseen;
    // Options of relations that the caller may not see are checked, except for their values.
    bool checks_unseen;
    // `%`, `_` and `\` of a value have no special meaning in `$contains` and the like.
    bool escapes_patterns;
    // `$eqi` and `$nei` compare whole texts, not patterns.
    bool equals_ignoring_case;
    // Values compared with a number are numbers: an empty text is refused, and for a biginteger
    // every text that is no whole number.
    bool checks_numbers;
    // Values compared with JSON are texts, not JSON themselves.
    bool json_is_text;
    // A page is first turned into start and limit, from which the numbers of `meta` follow.
    bool pages_are_windows;
    // `page` without `pageSize` is a page of one entry.
    bool page_alone_has_one;
    // The total of a list in all locales is 0.
    bool counts_no_locales;
    // `sort` may name the status of types that have one, without effect.
    bool sorts_by_status;
    // The texts in `populate` are split at commas before their names are validated. Otherwise `a,b`
    // is one name, which no attribute has.
    bool splits_populate;
    // Before `populate` is read, relations to types that the caller may not read are removed from
    // it, and so are all options of polymorphic relations except fragments.
    bool cuts_populate;
    // A filter on the inverse side of a polymorphic relation, as media have, compares the entry's
    // own columns of the same names.
    bool filters_inverses_by_owner;
    // Below a zone, `populate=*` populates in all components what the first one has.
    bool first_part_names_all;
};

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
    // The attributes, by type and name, that only later releases of the version have, so that a
    // database may lack them.
    std::span<std::pair<std::string_view, std::string_view> const> recent;
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
struct ReleaseDifference {
    Release until;
    std::string_view what; // for the operator: what those releases do
    void (*apply)(Cms&);
};

struct Cms {
    Version version;
    Release newest; // the newest that is known
    // The oldest that is served exactly; what is listed of older ones is not complete.
    Release oldest_exact;
    std::span<ReleaseDifference const> differences;
    Layout layout;
    parser::QueryRules reading;
    BindingRules rules;
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
