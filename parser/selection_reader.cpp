// Reads `fields` and `sort`.

#include "parser/base/javascript.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>

namespace parser {

namespace {

// lodash 4 sets nothing below these names, and Strapi 4.26 builds the order with it.
bool is_unsettable(std::string_view name) {
    return name == "__proto__" || name == "constructor" || name == "prototype";
}

using SortKeys = std::vector<Checked<SortKey>>;

void read_direction(std::string_view text, QueryRules const& rules, QueryPlace const& place,
                    Checked<SortKey>& checked) {
    SortKey& key = checked.edit();
    if (rules.blank_says_nothing) text = trimmed(text);
    key.direction = text;
    auto const descending = read_descending(text);
    key.descending = descending.value_or(false);
    if (!descending) checked.note(invalid_value(place.text(), "asc or desc", text));
}

// Reads `author.name:desc`; what follows a second colon is ignored.
Checked<SortKey> read_sort_token(std::string_view token, QueryRules const& rules,
                                 QueryPlace const& place) {
    Checked<SortKey> key;
    auto const parts = split(token, ':');
    // lodash 4 skips an empty segment inside a path, but not at its ends.
    auto const path = split(parts[0], '.');
    if (!path.front().empty())
        for (std::string_view const segment : path)
            if (!segment.empty()) key.edit().path.emplace_back(segment);
    if (parts.size() > 1) read_direction(parts[1], rules, place, key);
    if (path.front().empty() || path.back().empty())
        key.note(invalid_value(place.text(), "an attribute or a path of them", token));
    return key;
}

Checked<SortKey> read_sort_key(std::string_view token, QueryRules const& rules,
                               QueryPlace const& place) {
    auto key = read_sort_token(token, rules, place);
    bool const is_plain = token.find('.') == std::string_view::npos && !key.error();
    if (is_plain) return key;
    if (auto const walked = walked_sort(token); walked != token)
        key.edit().walked.push_back(read_sort_token(walked, rules, place));
    return key;
}

void read_sort_text(std::string_view text, QueryRules const& rules, QueryPlace const& place,
                    SortKeys& keys) {
    for (std::string_view const part : split(text, ','))
        if (auto const token = trimmed(part);
            !token.empty() && !(rules.blank_says_nothing && token.front() == ':'))
            if (auto key = read_sort_key(token, rules, place);
                std::ranges::none_of(key.unchecked().path, is_unsettable))
                keys.push_back(std::move(key));
}

// Reads `sort[author][name]=desc`: the keys are the path, and the text at its end the direction.
void read_sort_object(Object const& object, QueryRules const& rules,
                      std::vector<std::string> const& path, QueryPlace const& place,
                      SortKeys& keys) {
    for (auto const& [name, value] : object.members()) {
        QueryPlace const here{&place, name};
        std::vector<std::string> longer = path;
        longer.push_back(name);
        if (Object const* deeper = value.object()) {
            read_sort_object(*deeper, rules, longer, here, keys);
            continue;
        }
        bool const is_blank = !value.text() || trimmed(*value.text()).empty();
        if (rules.blank_says_nothing && is_blank) continue;
        Checked<SortKey> key(SortKey{.path = std::move(longer)});
        read_direction(value.text() ? std::string_view(*value.text()) : "", rules, here, key);
        keys.push_back(std::move(key));
    }
}

} // namespace

std::optional<bool> read_descending(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (lower == "desc") return true;
    if (lower == "asc") return false;
    return std::nullopt;
}

std::string walked_sort(std::string_view text) {
    auto const first = std::min(text.find_first_of(".:"), text.size());
    std::string walked(text.substr(0, first));
    bool has_name = false;
    for (std::size_t end = first; end < text.size();) {
        std::size_t const begin = end + 1;
        end = std::min(text.find_first_of(".:", begin), text.size());
        std::string_view part = text.substr(begin, end - begin);
        auto const name = trimmed(part);
        if (name.empty()) continue;
        part.remove_prefix(static_cast<std::size_t>(name.data() - part.data()));
        walked += has_name && read_descending(part) ? ':' : '.';
        walked += part;
        has_name = true;
    }
    auto const end = trimmed(walked);
    return walked.substr(0, static_cast<std::size_t>(end.data() + end.size() - walked.data()));
}

void read_sort(Tree const& tree, QueryRules const& rules, QueryPlace const& place,
               Selection& selection) {
    SortKeys& keys = selection.sort.edit();
    if (tree.text()) return read_sort_text(*tree.text(), rules, place, keys);
    if (tree.object()) return read_sort_object(*tree.object(), rules, {}, place, keys);
    if (!tree.list()) return;
    List const& list = *tree.list();
    bool const texts = std::ranges::all_of(list, [&](Tree const& e) {
        return rules.blank_says_nothing ? !e.object() : e.text() || e.list();
    });
    bool const objects = std::ranges::all_of(list, [](Tree const& e) { return e.object(); });
    // Strapi 4.26 takes a mixed list for an object and reports its first key.
    if (!texts && !objects) return keys.emplace_back().edit().path.push_back("0");
    for (Tree const& element : list) {
        if (element.text())
            read_sort_text(*element.text(), rules, place, keys);
        else if (element.object())
            read_sort_object(*element.object(), rules, {}, place, keys);
        else if (element.list() && !rules.blank_says_nothing)
            selection.sort.note(invalid_value(place.text(), "names, received a list"));
    }
}

Checked<FieldSelection> read_fields(Tree const& tree, QueryRules const& rules,
                                    QueryPlace const& place) {
    Checked<FieldSelection> fields;
    if (tree.is_null()) return fields;
    if (rules.splits_fields && tree.text() && tree.text()->find(',') != std::string::npos) {
        List names;
        for (std::string_view const name : split(*tree.text(), ','))
            names.emplace_back(std::string(name));
        return read_fields(Tree(std::move(names)), rules, place);
    }
    auto const elements = list_elements(tree);
    if (!tree.text() && !elements) {
        fields.note(invalid_value(place.text(), "a field name or a list of them"));
        return fields;
    }
    auto& [all, names] = fields.edit();
    all = false;
    for (Tree const* element : elements.value_or(std::vector{&tree})) {
        if (element->list() || element->object()) {
            fields.note(invalid_value(place.text(), "a list of field names"));
            continue;
        }
        if (!element->text()) continue; // null
        if (*element->text() == "*")
            all = true;
        else
            names.emplace_back(trimmed(*element->text()));
    }
    return fields;
}

} // namespace parser
