#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// The syntax of a query string and nothing more: what `qs` 6.15 (strictNullHandling, arrayLimit
// 100, depth 20) makes of it, since that is what clients of Strapi were written against.
//
//     a[b][0]=x&a[b][1]=y&c   ->   {"a":{"b":["x","y"]},"c":null}
//
// Parsing never fails: every sequence of bytes has a tree. Bytes that are not UTF-8 become U+FFFD.
//
// Trees are walked and destroyed recursively, and that is safe: each of the 1,000 parts adds at
// most one level to the levels of its own key, so none is deeper than 1,000 + depth + 2.

namespace parser {

class Tree;

using List = std::vector<Tree>;

// Holds members in the order in which JavaScript walks an object: integer-like names ascending,
// then the others as they came.
class Object {
  public:
    using Member = std::pair<std::string, Tree>;

    Object() = default;
    // `members` are in that order and differ in their names.
    explicit Object(std::vector<Member> members);

    // Returns null if there is none.
    Tree const* find(std::string_view name) const;

    std::vector<Member> const& members() const { return members_; }
    std::size_t size() const;
    bool empty() const;

    // The greatest index, if this was a list that outgrew the array limit: qs turns such a list
    // into an object whose names are all indices. It is -1 for any other object.
    long last_index = -1;

  private:
    std::vector<Member> members_;
};

// A value: null (`a` without `=`), text, list or object.
class Tree {
  public:
    Tree() = default;
    Tree(std::string text) : value_(std::move(text)) {}
    Tree(List list) : value_(std::move(list)) {}
    Tree(Object object) : value_(std::move(object)) {}

    bool is_null() const { return value_.index() == 0; }
    std::string const* text() const { return std::get_if<std::string>(&value_); }
    List const* list() const { return std::get_if<List>(&value_); }
    Object const* object() const { return std::get_if<Object>(&value_); }

  private:
    std::variant<std::monostate, std::string, List, Object> value_;
};

inline std::size_t Object::size() const {
    return members_.size();
}
inline bool Object::empty() const {
    return members_.empty();
}

struct QueryTree {
    Object root;
    bool cut = false; // more than 1,000 parts: the rest was dropped, as qs does
    // The first key of more than `depth` groups, decoded; its rest became one literal name, as in
    // qs. Empty if there is none.
    std::string too_deep;
};

// What the middlewares of an action do to the query of a request, as nginx/strapi describes it.
// Values are data, not query text: no limit of qs applies.
struct QueryEffect {
    Object absent = {};                            // for requests that do not name the parameter
    std::vector<std::string> empty_is_absent = {}; // of these: or name it without a value
    Object always = {};                            // in place of whatever the request says
    std::vector<std::string> dropped = {};         // taken away
    std::optional<std::vector<std::string>> keep = {}; // all others are taken away
    std::vector<std::pair<std::string, std::vector<std::string>>> pick = {}; // of one these members
    // Nothing is known of a request that names one of these; why.
    std::vector<std::pair<std::string, std::string>> watched = {};
    std::vector<std::pair<std::string, std::string>> headers = {}; // set on the response

    bool empty() const;
};

// Returns the parameter of the query of which the effect does not say what becomes, and why.
// Absent: there is none.
std::optional<std::pair<std::string, std::string>> watched_in(QueryEffect const& effect,
                                                              Object const& query);

// Works like assignments to members of `ctx.query` in a middleware of the CMS: a replaced parameter
// keeps its position, an added one comes last.
void apply(QueryEffect const& effect, Object& query);

// Settings that a project may have changed in the options of `strapi::query`.
struct TreeOptions {
    std::size_t array_limit = 100;
    std::size_t depth = 20; // 1 to 1,000; any other counts as the nearest of these
    // Cuts keys at brackets as qs 6.15.3 does, see cut_balanced_key().
    bool balances_brackets = false;
};

// The rules of a query's parameters that depend on the version of the CMS that clients were written
// for.
struct QueryRules {
    // See TreeOptions::balances_brackets.
    bool balances_brackets;
    // The value of `locale` that asks for all locales.
    std::string_view all_locales;
    // `locale` without a value asks for the default one.
    bool empty_locale_is_default;
    // `status` is read instead of `publicationState`.
    bool has_status;
    // `publicationFilter` and `hasPublishedVersion` are read.
    bool has_publication_filter;
    // A text, `fields=title,slug`, may name several fields.
    bool splits_fields;
    // `populate=a&populate[b]=true&populate[c]=true`, to which qs gives indices, means the union of
    // all; otherwise what stands at an index is not read.
    bool unites_populates;
    // A `sort` or a direction without a text sorts by nothing, and so does a list in a list; blanks
    // around a direction are ignored; `on` inside of populate may be null.
    bool blank_says_nothing;
    // In pagination, a value that is not a number is NaN, and null counts as absent.
    bool numbers_may_be_nan;
};

// Returns whether every JavaScript object inherits the name.
bool is_inherited(std::string_view name);

QueryTree parse_query_string(std::string_view query_string, TreeOptions const& options = {});

// Returns one line of JSON, with members in walking order.
std::string dump(QueryTree const& tree);
// Returns the text that JSON.stringify gives.
std::string dump(Tree const& tree);

} // namespace parser
