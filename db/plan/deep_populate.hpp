#pragma once

#include "db/schema/schema.hpp"
#include "parser/query.hpp"

#include <cstddef>
#include <optional>

namespace db {

// Whether `deep` is a word: the plugin's where the project has the plugin, and ours where there is
// no CMS. In front of any other project it is a name like any other.
bool knows_deep(Schema const& schema);

// What `populate=deep,N` populates, as if a client had named it all: the walk that
// strapi-plugin-populate-deep 3.0.1 makes of the schema, whoever asks. With `depth` 2 it is one
// level, and with 1 nothing. A relation is passed over where it is named like the collection of a
// type that the walk has been to, and below components it is not; `localizations` and media lead no
// further. Nothing if that goes on for more than `plan_nodes` levels or 20 times as many names:
// what the caller may not see is walked too, but is no node of a plan.
std::optional<parser::PopulateSet> deep_populate(ContentType const& type, double depth,
                                                 std::size_t plan_nodes);

} // namespace db
