#pragma once

#include "parser/place.hpp"
#include "parser/query.hpp"
#include "parser/query_tree.hpp"
#include "parser/reading.hpp"

namespace parser {

// Gives every parameter of the reference its type. Never fails: what has no meaning is noted in the
// part of the Query where it stands.
Query read_query(QueryTree const& tree, Reading const& reading);

// The readers of single parameters, for read_query.
Filter read_filter(Tree const& tree, Place const& place);
void read_sort(Tree const& tree, Reading const& reading, Place const& place, Selection& selection);
Checked<FieldSelection> read_fields(Tree const& tree, Reading const& reading, Place const& place);
Checked<PopulateSet> read_populate(Tree const& tree, Reading const& reading, Place const& place);

// `author.avatar`: each name on the path becomes a member, the later ones below the earlier ones.
void add_path(std::string_view path, PopulateSet& set);

// `live` and `preview`; null counts as preview.
Result<PublicationState> read_publication_state(Tree const& tree, Place const& place);
// `published` and `draft`. To Strapi 5.54 whatever is not `published` asks for drafts.
Result<PublicationState> read_status(Tree const& tree, Place const& place);

// By the names of Strapi 5.54; and `true` or `false` of the older `hasPublishedVersion`. Null says
// nothing.
Result<std::optional<PublicationFilter>> read_publication_filter(Tree const& tree);
Result<std::optional<PublicationFilter>> read_has_published_version(Tree const& tree);

// The elements of a list. qs makes an object with integer keys of a list that is too long (or whose
// index is 100 or more); it still is the list that the client wrote.
std::optional<std::vector<Tree const*>> list_elements(Tree const& tree);

// A list that stands where one value is meant: the text that JavaScript makes of it, its elements
// with commas between them. The text itself of a text; nothing if there is an object in it.
std::optional<std::string> script_text(Tree const& tree);

// Null, or an empty text.
bool is_blank(Tree const& tree);

// Text that switches something on or off: true, t, 1, false, f, 0. Nothing for any other.
std::optional<bool> read_flag(std::string_view text);

// Whether a direction of `sort`, asc or desc in any letter case, is descending. Nothing for any
// other text.
std::optional<bool> read_descending(std::string_view text);

// A path of `sort`, `author..name:`, as Strapi has it when it has walked it and put it together
// again: without empty names, without blanks before a name, and with a colon before a direction
// alone. It walks those whose first name is that of a relation, media or a component.
std::string walked_sort(std::string_view text);

// No plan holds as many nodes as this, so names further down a dotted path can't matter. It keeps
// recursion over what was read within any thread's stack.
inline constexpr std::size_t deepest_path = 1'000;

// That something else was expected of `tree`, which is shown if it is a text.
Error unexpected(Tree const& tree, std::string_view expected, Place const& place);

std::string_view trimmed(std::string_view text); // JavaScript's white space
std::vector<std::string_view> split(std::string_view text, char separator);

} // namespace parser
