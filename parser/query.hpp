#pragma once

#include "parser/base/error.hpp"
#include "parser/filter_operator.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The parameters of a request, typed. Names are still the client's strings: nothing here promises
// that they exist or may be used. An invalid value is an error of the part that contains it,
// which is reported when binding uses that part.

namespace parser {

// Says where in the query something stands, written `populate[author][fields]`. The text is built
// only for an error. Without a parent and a key, it is the query itself.
struct QueryPlace {
    QueryPlace const* parent = nullptr;
    std::string_view key = {};

    std::string text() const;
};

// A part of the query, with the error found in it, if any (`sort=title:up`). Such an error does not
// fail the whole query, since Strapi 4.26 checks names first, and checks values only where it uses
// them. So the error stays with the part, and is noted where binding uses the part
// (BindContext::use() in db/plan/bind_passes.hpp).
template<class T>
class Checked {
  public:
    Checked() = default;
    Checked(T part) : part_(std::move(part)) {}

    // For code that has looked at the error, shows the part, or looks at what the error does not
    // affect.
    T const& unchecked() const { return part_; }
    // For code that fills the part.
    T& edit() { return part_; }

    // Returns null if there is no error.
    Error const* error() const { return error_.get(); }
    // Replaces an earlier error.
    void note(Error error) { error_ = std::make_shared<Error const>(std::move(error)); }

  private:
    T part_ = {};
    std::shared_ptr<Error const> error_; // shared, so that parts stay small
};

// A text, or null (`a` without `=`).
using Value = std::optional<std::string>;

enum class FilterKind : std::uint8_t {
    all_of,     // `$and`, and the members of any object
    any_of,     // `$or`
    none_of,    // `$not`: not (all of members)
    name,       // an attribute, `id`, or an unknown operator; members are about its value
    comparison, // `op` with `values`
};

// One condition, or several that must all hold: `filters`, and the values of `locale`.
struct Filter {
    FilterKind kind = FilterKind::all_of;
    std::string key = {};                    // as written: `title`, `$or`, `$eq`; empty at the root
    Operator op = Operator::eq;              // of a comparison
    Checked<std::vector<Value>> values = {}; // of a comparison: one, or several if `is_list`
    // It was written as a list. An operator that takes one value then means any of them.
    bool is_list = false;
    // Of the other kinds; of a comparison, what objects in its operand name.
    Checked<std::vector<Filter>> members = {};
};

struct SortKey {
    std::vector<std::string> path; // {"author", "name"}
    bool descending = false;
    std::string direction = {}; // as written; empty if none was
    // Holds at most one key: how this one reads if its first name leads to other entries, where
    // that differs. See walked_sort().
    std::vector<Checked<SortKey>> walked = {};
};

struct FieldSelection {
    bool all = true; // `fields` is absent, or has `*`
    std::vector<std::string> names;
};

// Selects rows of types with drafts: published ones, or all, or (Strapi 5) only drafts.
enum class PublicationState : std::uint8_t { live, preview, draft };

// Strapi 5: selects rows of a state by the row of the other state that they have or lack. A row has
// a version if there is one in its locale; its document has one if there is one in any.
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

// Selects rows of types with drafts by their state.
struct Publication {
    PublicationState state = PublicationState::live;
    std::optional<PublicationFilter> filter = {};

    bool operator==(Publication const&) const = default;
};

struct Populate;

struct PopulateSet {
    bool everything = false; // `*`: all of the first level
    // Whether the names of a text or a list begin with `deep` or `deep,N`, a keyword of
    // strapi-plugin-populate-deep; without the plugin it is a name like any other.
    bool deep = false;
    std::optional<double> depth = {}; // of `deep`; absent: the default; NaN: no number
    std::vector<std::string> paths;   // `author.avatar,tags`, as written: see db/plan/populated.hpp
    std::vector<Populate> members;    // in the order of the response

    Populate* find(std::string_view name);
};

// The parameters of one read: of the entries themselves, and again of each populated name.
struct Selection {
    Checked<FieldSelection> fields;
    Filter filters;
    Checked<std::vector<Checked<SortKey>>> sort;
    Checked<PopulateSet> populate;
};

struct PopulateOptions {
    Selection selection;
    std::optional<std::vector<Populate>> on; // by component or type UID; hide the selection
    bool is_word = false;                    // a text instead of options, and not `true`
    bool count = false;                      // the number of entries instead of the entries
    bool reverse = false;                    // `ordering=desc`: reverses the link order
    std::optional<std::uint64_t> start = {};
    std::optional<std::uint64_t> limit = {};
    std::optional<PublicationState> publication_state = {};
    std::vector<std::string> ignored = {}; // full places of options that have no effect here
};

// One populated name and its options.
struct Populate {
    std::string name;
    Checked<PopulateOptions> options = {};
};

// Holds the page or offset form as written; numbers may be fractional, negative, or beyond any
// table.
struct Pagination {
    std::optional<double> page, page_size, start, limit;
    std::optional<bool> with_count;
    // Whether page or pageSize, start or limit are named, with a value or without one.
    bool names_page = false, names_offset = false;

    bool has_page() const { return page || page_size; }
    bool has_offset() const { return start || limit; }
};

// The checks that Strapi 4.26 makes on `page` and `pageSize` where it does not use them: inside
// populate, and at the root of queries without `meta`.

// The error for `page` or `pageSize` beside `start` or `limit`.
Error both_page_forms();

// Returns whether it is a whole number above 0.
bool counts_pages(double number);
Error no_page_number(std::string_view name, std::string_view received);

struct Query {
    Selection selection;
    Checked<Pagination> pagination;
    // `page`, `pageSize`, `start`, `limit` outside of `pagination`, if not null.
    Checked<Pagination> root_pagination;
    std::string page_text, page_size_text; // of root_pagination: as written
    bool all_locales = false;              // `locale=all`, or `locale=*` of Strapi 5
    std::optional<Filter> locale;          // conditions on the locale; absent: the default one
    // Absent means live. `publicationState` without a value counts as preview in Strapi 4.26.
    Checked<std::optional<PublicationState>> publication_state;
    Checked<std::optional<PublicationFilter>> publication_filter;
    Checked<std::string> search;      // `_q`
    bool cut = false;                 // the query string had more than 1,000 parts
    std::vector<std::string> ignored; // parameters that mean nothing here
};

// Returns one line in a short notation: fields(title) populate(author(fields(name)) tags) …
std::string dump(Query const& query);

} // namespace parser
