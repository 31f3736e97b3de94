#pragma once

#include "parser/query.hpp"
#include "parser/query_tree.hpp"

namespace parser {

// Reads every parameter that Strapi knows into its type. Never fails: a value without a meaning is
// noted in the part of the Query where it stands.
Query read_query(QueryTree const& tree, QueryRules const& rules);

// The readers of single parameters, for read_query.
Filter read_filter(Tree const& tree, QueryPlace const& place);
void read_sort(Tree const& tree, QueryRules const& rules, QueryPlace const& place,
               Selection& selection);
Checked<FieldSelection> read_fields(Tree const& tree, QueryRules const& rules,
                                    QueryPlace const& place);
Checked<PopulateSet> read_populate(Tree const& tree, QueryRules const& rules,
                                   QueryPlace const& place);

// Adds a path, `author.avatar`: each name becomes a member, the later ones below the earlier ones.
void add_path(std::string_view path, PopulateSet& set);

// Accepts `live` and `preview`; null counts as preview.
Result<PublicationState> read_publication_state(Tree const& tree, QueryPlace const& place);

// Returns the elements of a list. qs turns a list that is too long (or has an index of 100 or more)
// into an object with integer keys; it still counts as the list that the client wrote.
std::optional<std::vector<Tree const*>> list_elements(Tree const& tree);

// Returns the text that JavaScript makes of a list where one value is expected: its elements with
// commas between them. Returns a text as it is, and nothing for a tree that contains an object.
std::optional<std::string> script_text(Tree const& tree);

// Returns whether it is null or an empty text.
bool is_blank(Tree const& tree);

// Reads a text that switches something on or off: true, t, 1, false, f, 0. Returns nothing for any
// other.
std::optional<bool> read_flag(std::string_view text);

// Returns whether a direction of `sort`, asc or desc in any letter case, is descending; nothing for
// any other text.
std::optional<bool> read_descending(std::string_view text);

// Returns a path of `sort`, `author..name:`, as Strapi rebuilds it after walking it: without empty
// names, without blanks before a name, and with a colon only before a direction. Strapi walks the
// paths whose first name is a relation, media or a component.
std::string walked_sort(std::string_view text);

// No plan holds more nodes than this, so names further down a dotted path do not matter. The limit
// keeps recursion over what was read within any thread's stack.
inline constexpr std::size_t deepest_path = 1'000;

// Returns an error: something else than `tree` was expected, which is shown if it is a text.
Error unexpected(Tree const& tree, std::string_view expected, QueryPlace const& place);

std::vector<std::string_view> split(std::string_view text, char separator);

} // namespace parser
