#pragma once

#include "db/plan/names.hpp"

namespace db {

// Checks a path in `populate`, `author.avatar`, below entries of `root`: each name must be an
// attribute that can be populated and, except for the last, lead to the entries of one type, or to
// a zone of which some part has the next name. Media lead no further.
Refusal check_path(std::string_view path, ContentType const& root);

// Refuses the first private name on a path. Strapi 5.54 looks for those before it cuts a text at
// its commas, and so finds none in a text that has commas. `at` leads to the entries of `root`;
// null if these are the root of the response.
Refusal check_hidden(std::string_view text, ContentType const& root, parser::Place const* at);

// Checks a path where texts are not cut at commas at all (BindingRules::splits_populate), as if it
// was written `populate[author][populate][avatar]`. `raw` is `at` with all that is between
// attributes.
Refusal check_uncut(std::string_view path, ContentType const& root, parser::Place const* at,
                    parser::Place const* raw);

// Checks a text inside of `populate`, where no text is cut at its commas.
Refusal check_whole(std::string_view text, ContentType const& root, parser::Place const* at);

} // namespace db
