#pragma once

#include "db/plan/bind.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// The passes of bind(), for the sources of this module alone.

namespace db {

enum class Pass : std::uint8_t { unknown, zone, morph, hidden, shape, unpermitted };

// Keeps the error that Strapi 4.26 finds first. Strapi validates all names before it converts any
// value, parameter by parameter, and inside one parameter in passes over the whole tree. So which
// error is first is known only when everything has been looked at.
class Refusals {
  public:
    void begin_parameter() { ++parameter_; }
    void name(Pass pass, std::string_view key, std::string_view where);
    void value(parser::Error error);
    // Forgets the errors of values noted so far, for parameters that are checked but not used, but
    // keeps `earlier`.
    void drop_values(std::optional<parser::Error> earlier = {}) { value_ = std::move(earlier); }
    std::optional<parser::Error> const& first_value() const { return value_; }

    std::optional<parser::Error> const& first() const { return name_ ? name_ : value_; }

  private:
    unsigned parameter_ = 0;
    unsigned name_parameter_ = 0;
    Pass name_pass_ = Pass::unknown;
    std::optional<parser::Error> name_;
    std::optional<parser::Error> value_;
};

// The state that the passes of bind() share. Each pass takes one part of the query, the type whose
// names it may use and the part's place in the query, and returns its part of the plan. Errors are
// noted here, not returned.
struct BindContext {
    Schema const& schema;
    Permissions const& permissions;
    ApiOptions const& options;
    parser::Limits const& limits;
    BindingRules const& rules;

    Refusals refusals = {};
    std::vector<std::string> ignored = {}; // places of parts without effect; for `strict`
    std::size_t terms = 0;                 // in all filters
    std::size_t hops = 0;                  // of the condition that is being bound
    bool names_columns = false;            // instead of attributes: in a list below `$not`
    std::size_t nodes = 0;                 // of the plan

    // Notes a name that does not exist or may not be used.
    void refuse(Pass pass, std::string_view name, parser::QueryPlace const& place);
    // Notes an invalid value.
    void refuse_value(parser::Error error) { refusals.value(std::move(error)); }
    void expect(std::string_view expected, parser::QueryPlace const& place);
    void ignore(std::string_view name, parser::QueryPlace const& place);
    // Notes an error if a limit is exceeded, and returns whether it is.
    bool is_over(bool exceeded, std::size_t parser::Limits::* limit);

    // Returns a part of the query, and notes the error that it may have.
    template<class T>
    T const& use(parser::Checked<T> const& part) {
        if (parser::Error const* error = part.error()) refuse_value(*error);
        return part.unchecked();
    }

    bool is_permitted(Attribute const& attribute) const;
    // Refuses an attribute that no filter or sort may name. Of several reasons Refusals keeps the
    // one that Strapi 4.26 finds first.
    void check_use(Attribute const& attribute, parser::QueryPlace const& place);
};

// Returns the text with `\` before each of `signs`.
std::string escaped(std::string_view text, std::string_view signs);

Condition compare(std::string_view column, Comparator comparator, std::vector<Literal> values);

// Binds an operator on a scalar, with its operand cast to the scalar's type.
Condition bind_comparison(BindContext& context, std::string_view column, AttributeType type,
                          parser::Filter const& filter, parser::QueryPlace const& place);

// These bind which entries of a type are meant.

// Binds `filters`.
Condition bind_filters(BindContext& context, parser::Filter const& filter, ContentType const& type,
                       parser::QueryPlace const& place);

// Binds `locale` of a localized type.
Condition bind_locale(BindContext& context, parser::Query const& query, ReadTarget const& target,
                      parser::QueryPlace const& place);

// Binds `_q`, which asks for entries that have the text anywhere.
Condition bind_search(std::string_view text, ContentType const& type);

// Returns the condition for rows of this publication, as are all rows of a type without drafts.
Condition published_as(parser::Publication const& publication, ContentType const& type);

// Binds `fields`, and returns the scalars of the response, without the id. Without names these are
// all that are not hidden, in the order of the table. The documentId always comes first.
std::vector<Attribute const*> bind_fields(BindContext& context,
                                          parser::Checked<parser::FieldSelection> const& checked,
                                          ContentType const& type, parser::QueryPlace const& place);

// Whether `fields` may have this name, which is that of an attribute or of a column.
bool has_field(ContentType const& type, std::string_view name);

// Binds `sort`.
std::vector<SortColumn> bind_sort(BindContext& context, parser::Selection const& selection,
                                  ContentType const& type, parser::QueryPlace const& place);

// Entries whose attributes are populated.
struct Populated {
    std::vector<Node>& nodes; // of the plan; the nodes below are added to them
    std::uint32_t node;       // the node that reads the entries
    ContentType const& type;
    parser::Publication shown; // of the entries below
};

// Binds `populate` of the root.
void bind_populate(BindContext& context, parser::Checked<parser::PopulateSet> const& set,
                   Populated const& root, parser::QueryPlace const& place);

} // namespace db
