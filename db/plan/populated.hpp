#pragma once

#include "db/plan/bind_passes.hpp"

#include <cstddef>
#include <optional>
#include <string_view>

// What a `populate` names: its members, those of its paths, and those of `populate=deep`.

namespace db {

// Removes the empty names at the start of a path (`.author`), which vanish when Strapi 5.54 turns
// it into a tree and back.
std::string_view without_leading_dots(std::string_view path);

// Returns the members that a `populate` names, with those of its paths: `author.avatar,tags`.
//
// A path over something that the caller may not see means what it means to Strapi, which looks at a
// text before it cuts it at its commas: at `author`, `secrets` and `owner,tags` of
// `populate=author.secrets.owner,tags`. In Strapi 4.26 the text ends before `secrets`, so that it
// means `author`, and `populate=secrets.owner,tags` nothing. In Strapi 5.54 neither text has an
// effect; and if a list has a path and one that goes on below it, only the later one counts. A name
// that no attribute has, as `secrets,tags`, ends the walk: `populate=author.secrets,tags` means
// `author` and `tags`.
//
// Names without effect are noted as ignored at `place`.
parser::PopulateSet named_members(BindContext& context, parser::PopulateSet const& set,
                                  ContentType const& type, parser::QueryPlace const& place);

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
