#pragma once

#include "db/plan/names.hpp"

namespace db {

inline constexpr std::string_view populate_param = "populate";

// Checks the names in `populate`, and those in the options of what is populated. In texts, and
// lists of them, every part of a path must be populatable; in objects an attribute has options, and
// nothing else may stand beside attributes.
Refusal check_populate(Names const& names, parser::Tree const& tree, ContentType const& type);

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
