#pragma once

#include "db/plan/bind.hpp"
#include "db/plan/refusals.hpp"
#include "parser/place.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace db {

// The state that the passes of bind() share. Each pass takes one part of the query, the type whose
// names it may use and the part's place in the query, and returns its part of the plan. Errors are
// noted here, not returned.
struct BindContext {
    using Pass = Refusals::Pass;
    using Place = parser::Place;

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
    void refuse(Pass pass, std::string_view name, Place const& place);
    // Notes an invalid value.
    void refuse_value(parser::Error error) { refusals.value(std::move(error)); }
    void expect(std::string_view expected, Place const& place);
    void ignore(std::string_view name, Place const& place);
    // Notes an error if a limit is exceeded, and returns whether it is.
    bool is_over(bool exceeded, std::size_t parser::Limits::* limit);

    // Returns a part of the query, and notes the error that it may have.
    template<class T>
    T const& use(parser::Checked<T> const& part) {
        if (parser::Error const* mistake = part.mistake()) refuse_value(*mistake);
        return part.unchecked();
    }

    bool is_permitted(Attribute const& attribute) const;
    // Refuses an attribute that no filter or sort may name. Of several reasons Refusals keeps the
    // one that Strapi 4.26 finds first.
    void check_use(Attribute const& attribute, Place const& place);
};

} // namespace db
