#include "db/plan/sort_values.hpp"

#include "parser/query_reader.hpp"

#include <algorithm>

namespace db {

using parser::List;
using parser::Object;
using parser::Tree;
using parser::trimmed;

namespace {

std::string_view field_of(std::string_view segment) {
    return trimmed(segment.substr(0, segment.find(':')));
}

bool text_sorts(std::string_view text) {
    return std::ranges::any_of(parser::split(text, ','),
                               [](std::string_view s) { return !field_of(trimmed(s)).empty(); });
}

bool object_sorts(Object const& object) {
    return std::ranges::any_of(object.members(), [](Object::Member const& member) {
        Tree const& order = member.second;
        if (auto const* text = order.text()) return !text->empty();
        return order.object() && object_sorts(*order.object());
    });
}

Refusal check_direction(std::string_view direction) {
    if (parser::read_descending(direction)) return std::nullopt;
    return invalid("Invalid order. order can only be one of asc|desc|ASC|DESC");
}

// See parser::walked_sort().
std::string walked(std::string_view segment, ContentType const& type) {
    Attribute const* first = type.find(segment.substr(0, segment.find_first_of(".:")));
    return first && first->target ? parser::walked_sort(segment) : std::string(segment);
}

Refusal check_text(std::string_view text, ContentType const& type) {
    for (std::string_view const written : parser::split(text, ',')) {
        std::string const segment = walked(trimmed(written), type);
        std::string_view const field = field_of(segment);
        if (field.empty()) continue;
        auto const parts = parser::split(segment, ':');
        if (parts.size() > 1)
            if (auto refusal = check_direction(trimmed(parts[1]))) return refusal;
        if (std::ranges::any_of(parser::split(field, '.'), parser::is_inherited))
            return invalid("Invalid sort query");
    }
    return std::nullopt;
}

Refusal check_object(Object const& object) {
    for (auto const& [field, order] : object.members()) {
        Refusal refusal;
        if (Object const* deeper = order.object())
            refusal = check_object(*deeper);
        else if (!order.text())
            refusal = invalid("Invalid sort type expected object or string got object");
        else if (std::string_view const text = trimmed(*order.text()); !text.empty())
            refusal = check_direction(text);
        if (refusal) return refusal;
    }
    return std::nullopt;
}

Refusal check_value(Tree const& tree, ContentType const& type) {
    if (auto const* text = tree.text()) return check_text(*text, type);
    if (Object const* object = tree.object()) return check_object(*object);
    return std::nullopt;
}

} // namespace

bool has_sort(Tree const& tree) {
    if (auto const* text = tree.text()) return text_sorts(*text);
    if (Object const* object = tree.object()) return object_sorts(*object);
    return tree.list() && std::ranges::any_of(*tree.list(), [](Tree const& element) {
               return !element.list() && has_sort(element);
           });
}

Refusal check_sort_values(Tree const& tree, ContentType const& type) {
    if (!has_sort(tree)) return std::nullopt;
    if (List const* list = tree.list()) {
        for (Tree const& element : *list)
            if (auto refusal = check_value(element, type)) return refusal;
        return std::nullopt;
    }
    return check_value(tree, type);
}

} // namespace db
