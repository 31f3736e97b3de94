#include "parser/query_reader.hpp"

#include <algorithm>

namespace parser {

namespace {

Value scalar(Tree const& tree) {
    return tree.text() ? Value(*tree.text()) : std::nullopt;
}

Filter read_member(std::string const& key, Tree const& tree, QueryPlace const& place);

std::vector<Filter> read_members(Object const& object, QueryPlace const& place) {
    std::vector<Filter> members;
    members.reserve(object.size());
    for (auto const& [key, value] : object.members())
        members.push_back(read_member(key, value, QueryPlace{&place, key}));
    return members;
}

// Returns whether it is a condition, or a list of conditions, which all must hold.
bool is_condition(Tree const* tree) {
    auto const elements = list_elements(*tree);
    return elements ? std::ranges::all_of(*elements, is_condition) : tree->object() != nullptr;
}

std::vector<Filter> read_each(std::vector<Tree const*> const& conditions, QueryPlace const& place) {
    std::vector<Filter> filters;
    for (Tree const* condition : conditions) {
        auto const elements = list_elements(*condition);
        filters.push_back({.members = elements ? read_each(*elements, place)
                                               : read_members(*condition->object(), place)});
    }
    return filters;
}

// Adds what objects in an operand name, however deep in lists.
void read_names(Tree const& operand, QueryPlace const& place, std::vector<Filter>& names) {
    if (auto const elements = list_elements(operand))
        for (Tree const* element : *elements)
            read_names(*element, place, names);
    else if (operand.object())
        std::ranges::move(read_members(*operand.object(), place), std::back_inserter(names));
}

// In a list of `$in` an object matches nothing; anywhere else it is an error.
void read_elements(std::vector<Tree const*> const& elements, QueryPlace const& place,
                   Filter& filter) {
    std::vector<Value>& values = filter.values.edit();
    for (Tree const* element : elements) {
        auto const inner = row_of(filter.op).casts ? std::nullopt : list_elements(*element);
        if (inner)
            read_elements(*inner, place, filter);
        else if (element->is_null())
            values.emplace_back();
        else if (auto text = script_text(*element))
            values.push_back(std::move(text));
        else if (filter.op != Operator::in)
            filter.values.note(invalid_value(place.text(), "a list of values"));
    }
}

// Reads an operator and its operand: a value or a list of values. An object is no value, but what
// it names is read all the same, since a wrong name is what Strapi 4.26 reports.
Filter read_comparison(std::string_view key, Operator op, Tree const& tree,
                       QueryPlace const& place) {
    Filter filter{.kind = FilterKind::comparison, .key = std::string(key), .op = op};
    if (tree.is_null() || tree.text()) {
        filter.values.edit().push_back(scalar(tree));
        return filter;
    }
    read_names(tree, place, filter.members.edit());
    if (op == Operator::null || op == Operator::not_null) {
        filter.values.edit().emplace_back("true"); // as Strapi takes whatever is no text
    } else if (auto const elements = list_elements(tree)) {
        filter.is_list = true;
        read_elements(*elements, place, filter);
    } else {
        filter.values.note(invalid_value(place.text(), "a value"));
    }
    return filter;
}

// Reads `$and` or `$or`, a list of objects. If there is one object instead, its names are read all
// the same, since a wrong name among them is what Strapi 4.26 reports.
Filter read_group(FilterKind kind, std::string const& key, Tree const& tree,
                  QueryPlace const& place) {
    Filter filter{.kind = kind, .key = key};
    auto const elements = list_elements(tree);
    if (elements && std::ranges::all_of(*elements, is_condition)) {
        filter.members = read_each(*elements, place);
        return filter;
    }
    if (tree.object()) filter.members = read_members(*tree.object(), place);
    filter.members.note(invalid_value(place.text(), "a list of conditions"));
    return filter;
}

// Reads a value without an operator: `filters[title]=x` is `$eq`, a list is `$in`.
Filter read_value(std::string const& key, FilterKind kind, Tree const& tree,
                  QueryPlace const& place) {
    Filter filter{.kind = kind, .key = key};
    auto const elements = list_elements(tree);
    filter.is_list = elements.has_value();
    if (elements && kind == FilterKind::none_of && std::ranges::all_of(*elements, is_condition))
        filter.members = read_each(*elements, place);
    else if (elements && kind == FilterKind::none_of &&
             std::ranges::any_of(*elements, is_condition))
        filter.members.note(invalid_value(place.text(), "a list of conditions"));
    else if (elements)
        filter.members.edit().push_back(read_comparison("$in", Operator::in, tree, place));
    else if (tree.object())
        filter.members = read_members(*tree.object(), place);
    else
        filter.members.edit().push_back(read_comparison("$eq", Operator::eq, tree, place));
    return filter;
}

Filter read_member(std::string const& key, Tree const& tree, QueryPlace const& place) {
    if (key == "$and") return read_group(FilterKind::all_of, key, tree, place);
    if (key == "$or") return read_group(FilterKind::any_of, key, tree, place);
    if (key == "$not") return read_value(key, FilterKind::none_of, tree, place);
    if (auto const op = find_operator(key)) return read_comparison(key, *op, tree, place);
    return read_value(key, FilterKind::name, tree, place);
}

} // namespace

Filter read_filter(Tree const& tree, QueryPlace const& place) {
    if (is_blank(tree)) return {.is_list = !tree.is_null()};
    if (tree.object() && !list_elements(tree))
        return {.members = read_members(*tree.object(), place)};
    Filter filter = read_group(FilterKind::all_of, "", tree, place);
    filter.is_list = true;
    return filter;
}

} // namespace parser
