#pragma once

#include "db/schema/permissions.hpp"
#include "db/schema/schema.hpp"
#include "parser/base/error.hpp"
#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <optional>
#include <string>
#include <string_view>

// The parts of validate(), for the sources of this module alone.

namespace db {

// The error for which a query is refused; absent if it is not refused.
using Refusal = std::optional<parser::Error>;

// Returns the path to a place, such as `author.account`; nothing at the root.
std::optional<std::string> dotted(parser::QueryPlace const* path);

// Returns the error of Strapi 5.54 for a name that does not exist or may not be used: "Invalid key
// K at PATH", with {"key","path","source","param"} as details. Without `param` the last two are
// left out.
parser::Error invalid_key(std::string_view key, std::optional<std::string> path,
                          std::string_view param);

// Returns the error for anything else, which has no details.
parser::Error invalid(std::string message);

// What the names of a query may refer to.
struct NameScope {
    Schema const& schema;
    Permissions const& permissions;
};

// These check the names in `filters`, `sort` and `fields`, at the root and inside of `populate`:
// errors name `param`. Strapi 5.54 walks a parameter once for each reason to refuse a name, so the
// first error is the first one of the first reason that applies.
Refusal check_filters(NameScope const& names, parser::Tree const& tree, ContentType const& type,
                      std::string_view param);
Refusal check_sort(NameScope const& names, parser::Tree const& tree, ContentType const& type,
                   std::string_view param);
Refusal check_fields(NameScope const& names, parser::Tree const& tree, ContentType const& type,
                     std::string_view param);

// Returns null for `id` and `documentId`, which every entry has, and for names that do not exist.
Attribute const* find_attribute(ContentType const& type, std::string_view name);

bool is_texts(parser::List const& list); // whether all elements are texts

// Returns whether `sort` says anything. Blank texts say nothing, nor do lists and objects of them.
bool has_sort(parser::Tree const& tree);

inline constexpr std::string_view populate_param = "populate";

// Checks the names in `populate`, and those in the options of what is populated. In texts, and
// lists of them, every part of a path must be populatable; in objects an attribute has options, and
// nothing else may stand beside attributes.
Refusal check_populate(NameScope const& names, parser::Tree const& tree, ContentType const& type);

// Calls `visit` with each member until it refuses one; elements of a list have their index as key.
template<class Visit>
Refusal each_member(parser::Tree const& tree, Visit const& visit) {
    if (parser::Object const* object = tree.object()) {
        for (auto const& [key, value] : object->members())
            if (auto refusal = visit(key, value)) return refusal;
    } else if (parser::List const* list = tree.list()) {
        for (std::size_t i = 0; i < list->size(); ++i)
            if (auto refusal = visit(std::to_string(i), (*list)[i])) return refusal;
    }
    return std::nullopt;
}

// Returns whether it is true, t, 1, false, f or 0.
bool is_boolean(std::string_view text);

} // namespace db
