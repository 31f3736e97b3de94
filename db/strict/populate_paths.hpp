#pragma once

#include "db/strict/names.hpp"

namespace db {

// Of a path in `populate`, `author.avatar`, below entries of `root`: each name must be an attribute
// that can be populated and, but for the last, lead to the entries of one type, or to a zone of
// which some part has the next name. Media lead no further.
Refusal check_path(std::string_view path, ContentType const& root);

// The first name on it that is private. Strapi 5.54 looks for those before it cuts a text at its
// commas, and so finds none in a text that has any. `at` leads to the entries of `root`; null if
// they are the answer's own.
Refusal check_hidden(std::string_view text, ContentType const& root, parser::Place const* at);

// The same where texts are not cut at commas at all (Rules::splits_populate): as if the path was
// written `populate[author][populate][avatar]`. `raw` is `at` with all that is between attributes.
Refusal check_uncut(std::string_view path, ContentType const& root, parser::Place const* at,
                    parser::Place const* raw);

// Inside of `populate` no text is cut at its commas.
Refusal check_whole(std::string_view text, ContentType const& root, parser::Place const* at);

} // namespace db
