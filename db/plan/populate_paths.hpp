#pragma once

#include "db/plan/bind_context.hpp"

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
                                  ContentType const& type, parser::Place const& place);

} // namespace db
