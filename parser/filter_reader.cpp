#include "parser/query_reader.hpp"

#include <algorithm>

namespace parser {

namespace {

Error unreadable(Place const& place, std::string_view expected) {
    return {400, "ValidationError", place.text().append(": expected ").append(expected)};
}

bool is_scalar(Tree const* tree) {
    return tree->is_null() || tree->text();
}

bool is_object(Tree const* tree) {
    return tree->object();
}

Value scalar(Tree const& tree) {
    return tree.text() ? Value(*tree.text()) : std::nullopt;
}

Filter read_member(std::string const& key, Tree const& tree, Place const& place);

std::vector<Filter> read_members(Object const& object, Place const& place) {
    std::vector<Filter> members;
    members.reserve(object.size());
    for (auto const& [key, value] : object.members())
        members.push_back(read_member(key, value, Place{&place, key}));
    return members;
}

std::vector<Filter> read_each(std::vector<Tree const*> const& objects, Place const& place) {
    std::vector<Filter> filters;
    for (Tree const* object : objects)
        filters.push_back({.members = read_members(*object->object(), place)});
    return filters;
}

// Values that are no scalars match nothing, so that `$in` is better off without them; for any other
// operator they have no meaning.
Filter read_list(std::string_view key, Operator op, std::vector<Tree const*> const& elements,
                 Place const& place) {
    Filter filter{.kind = Filter::Kind::comparison, .key = std::string(key), .op = op};
    filter.is_list = true;
    for (Tree const* element : elements) {
        if (is_scalar(element))
            filter.values.push_back(scalar(*element));
        else if (op != Operator::in)
            filter.invalid = unreadable(place, "a list of values");
    }
    return filter;
}

Filter read_comparison(std::string_view key, Operator op, Tree const& tree, Place const& place) {
    if (auto const elements = list_elements(tree)) return read_list(key, op, *elements, place);
    Filter filter{.kind = Filter::Kind::comparison, .key = std::string(key), .op = op};
    if (tree.object())
        filter.members = read_members(*tree.object(), place);
    else
        filter.values.push_back(scalar(tree));
    return filter;
}

// `$and` and `$or`: a list of objects. The names in an object in its place are read all the same,
// since a wrong name among them is what Strapi 4.26 reports.
Filter read_group(Filter::Kind kind, std::string const& key, Tree const& tree, Place const& place) {
    Filter filter{.kind = kind, .key = key};
    auto const elements = list_elements(tree);
    if (elements && std::ranges::all_of(*elements, is_object)) {
        filter.members = read_each(*elements, place);
        return filter;
    }
    if (tree.object()) filter.members = read_members(*tree.object(), place);
    filter.invalid = unreadable(place, "a list of conditions");
    return filter;
}

// A value without an operator: `filters[title]=x` is `$eq`, a list is `$in`.
Filter read_value(std::string const& key, Filter::Kind kind, Tree const& tree, Place const& place) {
    Filter filter{.kind = kind, .key = key};
    auto const elements = list_elements(tree);
    if (elements && kind == Filter::Kind::none_of && std::ranges::all_of(*elements, is_object))
        filter.members = read_each(*elements, place);
    else if (elements)
        filter.members.push_back(read_list("$in", Operator::in, *elements, place));
    else if (tree.object())
        filter.members = read_members(*tree.object(), place);
    else
        filter.members.push_back(read_comparison("$eq", Operator::eq, tree, place));
    return filter;
}

Filter read_member(std::string const& key, Tree const& tree, Place const& place) {
    if (key == "$and") return read_group(Filter::Kind::all_of, key, tree, place);
    if (key == "$or") return read_group(Filter::Kind::any_of, key, tree, place);
    if (key == "$not") return read_value(key, Filter::Kind::none_of, tree, place);
    if (auto const op = find_operator(key)) return read_comparison(key, *op, tree, place);
    return read_value(key, Filter::Kind::name, tree, place);
}

} // namespace

Filter read_filter(Tree const& tree, Place const& place) {
    if (tree.is_null()) return {};
    if (tree.object() && !list_elements(tree))
        return {.members = read_members(*tree.object(), place)};
    Filter filter = read_group(Filter::Kind::all_of, "", tree, place);
    filter.is_list = true;
    return filter;
}

} // namespace parser
