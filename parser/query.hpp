#pragma once

#include "parser/checked.hpp"
#include "parser/filter_operator.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The parameters of a request, typed. Names are still the client's strings: nothing here promises
// that they exist or may be used. Values that can mean nothing are mistakes of the part that they
// are in, which binding is told when it comes to use the part.

namespace parser {

// A text, or null (`a` without `=`).
using Value = std::optional<std::string>;

// One condition, or several that must all hold: `filters`, and the values of `locale`.
struct Filter {
    enum class Kind : std::uint8_t {
        all_of,     // `$and`, and the members of any object
        any_of,     // `$or`
        none_of,    // `$not`: not (all of members)
        name,       // an attribute, `id`, or an operator nobody knows; members are about its value
        comparison, // `op` with `values`; with members if its operand is an object
    };
    Kind kind = Kind::all_of;
    std::string key = {};                    // as written: `title`, `$or`, `$eq`; empty at the root
    Operator op = Operator::eq;              // of a comparison
    Checked<std::vector<Value>> values = {}; // of a comparison: one, or several if `is_list`
    bool is_list = false;                    // for an operator that takes one value: any of them
    Checked<std::vector<Filter>> members = {}; // of the other kinds
};

struct SortKey {
    std::vector<std::string> path; // {"author", "name"}
    bool descending = false;
    std::string direction = {}; // as written; empty if not
    // How it reads if its first name leads to other entries, where that is not the same: one, or
    // none. See walked_sort().
    std::vector<Checked<SortKey>> walked = {};
};

struct FieldSelection {
    bool all = true; // absent, or `*`
    std::vector<std::string> names;
};

// Which rows of types with drafts: those that are published, or all; of Strapi 5, the drafts alone.
enum class PublicationState : std::uint8_t { live, preview, draft };

// Of Strapi 5: which rows of a state, by the row of the other state that they have or lack. A row
// has a version where that is of its locale; its document has one where it is of any.
enum class PublicationFilter : std::uint8_t {
    never_published,
    has_published_version,
    modified, // the draft is newer than what is published
    unmodified,
    never_published_document,
    has_published_version_document,
    published_without_draft,
    published_with_draft,
};

// Which rows of types with drafts are meant, by their state.
struct Publication {
    PublicationState state = PublicationState::live;
    std::optional<PublicationFilter> filter = {};

    bool operator==(Publication const&) const = default;
};

struct Populate;

// `deep`, `deep,N`: a word of strapi-plugin-populate-deep, and a name as any other without it.
struct Deep {
    std::optional<double> depth; // absent: the default; NaN: no number
};

struct PopulateSet {
    bool everything = false;        // `*`: all of the first level
    std::optional<Deep> deep;       // if the names of a text or a list begin with it
    std::vector<std::string> paths; // `author.avatar,tags`, as written: see db/plan/populate_paths
    std::vector<Populate> members;  // in answer order

    Populate* find(std::string_view name);
};

// What can be said of one read, for the entries themselves and again for each that is populated.
struct Selection {
    Checked<FieldSelection> fields;
    Filter filters;
    Checked<std::vector<Checked<SortKey>>> sort;
    Checked<PopulateSet> populate;
};

struct PopulateOptions {
    Selection selection;
    std::optional<std::vector<Populate>> on; // named by component or type UID; hides the rest
    bool is_word = false;                    // a text instead of options, and not `true`
    bool count = false;                      // how many instead of which
    bool reverse = false;                    // `ordering=desc`: the link order backwards
    std::optional<std::uint64_t> start = {};
    std::optional<std::uint64_t> limit = {};
    std::optional<PublicationState> publication_state = {};
    std::vector<std::string> ignored = {}; // options that have no effect here, by full place
};

// One populated name and its options.
struct Populate {
    std::string name;
    Checked<PopulateOptions> options = {};
};

// Page or offset form, as written; numbers may be fractional, negative, or beyond any table.
struct Pagination {
    std::optional<double> page, page_size, start, limit;
    std::optional<bool> with_count;
    // With a value or not: page or pageSize, start or limit.
    bool names_page = false, names_offset = false;

    bool has_page() const { return page || page_size; }
    bool has_offset() const { return start || limit; }
};

struct Query {
    Selection selection;
    Checked<Pagination> pagination;
    // `page`, `pageSize`, `start`, `limit` outside of `pagination`, not null.
    Checked<Pagination> root_pagination;
    std::string page_text, page_size_text; // of that: as written
    bool all_locales = false;              // `locale=all`, or `locale=*` of Strapi 5
    std::optional<Filter> locale;          // conditions on the locale; absent: the default one
    // Absent: live. `publicationState` without a value counts as preview in Strapi 4.26.
    Checked<std::optional<PublicationState>> publication_state;
    Checked<std::optional<PublicationFilter>> publication_filter;
    Checked<std::string> search;      // `_q`
    bool cut = false;                 // the query string had more than 1,000 parts
    std::vector<std::string> ignored; // parameters that mean nothing here
};

// One line in a short notation: fields(title) populate(author(fields(name)) tags) …
std::string dump(Query const& query);

} // namespace parser
