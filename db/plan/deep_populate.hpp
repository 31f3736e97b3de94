#pragma once

#include "db/schema/schema.hpp"
#include "parser/query.hpp"

#include <cstddef>
#include <optional>

namespace db {

// Whether `populate=deep` has a meaning of its own: if the project has the plugin for it, or if
// there is no CMS. For any other project it is a name like any other.
bool knows_deep(Schema const& schema);

// Returns what `populate=deep,N` populates, as if the client had named it all: the walk of
// strapi-plugin-populate-deep 3.0.1 through the schema, which is the same for every caller. `depth`
// 2 means one level, and 1 nothing. A relation is skipped if it has the name of the collection of a
// type that the walk has visited, but not below components; `localizations` and media lead no
// further. Returns nothing if there are more than `plan_nodes` levels or 20 times as many names:
// the walk includes what the caller may not see, which becomes no node of a plan.
std::optional<parser::PopulateSet> deep_populate(ContentType const& type, double depth,
                                                 std::size_t plan_nodes);

} // namespace db
