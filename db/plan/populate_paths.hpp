#pragma once

#include "db/plan/bind_context.hpp"

namespace db {

// Strapi 5.54 makes a tree of a path, `.author`, and a path of it again, without the empty names
// that it began with.
std::string_view without_leading_dots(std::string_view path);

// The members that a `populate` names, those of its paths among them: `author.avatar,tags`.
//
// What comes of a path over something that the caller may not see is Strapi's rule, which looks at
// a text before it cuts it at its commas: at `author`, `secrets` and `owner,tags` of
// `populate=author.secrets.owner,tags`. Strapi 4.26: the text ends before `secrets`, so that is
// `author`, and `populate=secrets.owner,tags` nothing. Strapi 5.54: nothing comes of either text;
// and in a list, of a path and one that goes on below it the later counts alone. What no attribute
// is named, as `secrets,tags`, ends the walk: `populate=author.secrets,tags` is `author` and
// `tags`.
//
// Names that nothing comes of are noted as ignored at `place`.
parser::PopulateSet named_members(BindContext& context, parser::PopulateSet const& set,
                                  ContentType const& type, parser::Place const& place);

} // namespace db
