#include "db/plan/populate_names.hpp"

#include "db/plan/populate_paths.hpp"
#include "db/plan/strict_populate_paths.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <string>

namespace db {

using parser::List;
using parser::Object;
using parser::Place;
using parser::Tree;

namespace {

constexpr std::size_t most_entries = 100; // of a list; a longer one becomes an object

// Says where in `populate` something stands.
struct Level {
    ContentType const& type; // whose attributes are named
    Place const* path;       // the attributes that lead here
    Place const* raw;        // the same, with everything between them
};

// Refuses a list that is too long, of which qs makes an object.
Refusal check_length(Tree const& tree) {
    Object const* object = tree.object();
    if (!object || object->size() <= most_entries) return std::nullopt;
    std::size_t index = 0;
    for (auto const& [key, value] : object->members())
        if (key != std::to_string(index++) || !value.text()) return std::nullopt;
    return parser::invalid_in(
        populate_param,
        "Too many populate entries (" + std::to_string(object->size()) +
            "). The maximum number of populate entries when using array notation is 100. "
            "Consider using object notation (populate[field]=true), nested population, or "
            "reducing the number of fields.");
}

class PopulateWalk {
  public:
    explicit PopulateWalk(Names const& names) : names_(names) {}

    // Checks the value of `populate`.
    Refusal set(Tree const& tree, Level const& at) const;

  private:
    Refusal paths(std::vector<std::string_view> const& texts, Level const& at) const;
    Refusal attribute(Attribute const& attribute, Tree const& value, Level const& at) const;
    // Checks the value of an attribute or a fragment. Some take `start` and `limit`, which Strapi
    // refuses everywhere.
    Refusal options(Tree const& tree, Level const& at, bool takes_window) const;
    Refusal word(std::string_view text, Level const& at) const;
    // Checks one option, or what stands where an attribute's name is expected and is none.
    Refusal option(std::string_view key, Tree const& value, Level const& at) const;
    Refusal fragments(Tree const& tree, Level const& at) const;

    Names const& names_;
};

Refusal PopulateWalk::set(Tree const& tree, Level const& at) const {
    if (auto const* text = tree.text())
        return *text == "*" ? std::nullopt : paths({std::string_view(*text)}, at);
    if (List const* list = tree.list(); list && is_texts(*list)) {
        std::vector<std::string_view> texts;
        for (Tree const& element : *list)
            texts.push_back(*element.text());
        return paths(texts, at);
    }
    if (auto refusal = check_length(tree)) return refusal;
    Refusal hidden; // is reported if there is no other
    auto refusal = each_member(tree, [&](std::string_view key, Tree const& value) -> Refusal {
        Attribute const* named = find_attribute(at.type, key);
        if (!named) return option(key, value, at);
        Place const path{at.path, key};
        if (named->is_private && !hidden) hidden = invalid_key(key, dotted(&path), populate_param);
        return attribute(*named, value, at);
    });
    return refusal ? refusal : hidden;
}

Refusal PopulateWalk::paths(std::vector<std::string_view> const& texts, Level const& at) const {
    if (!names_.schema.cms.rules.splits_populate) {
        for (std::string_view const text : texts)
            if (auto refusal = check_uncut(text, at.type, at.path, at.raw)) return refusal;
        return std::nullopt;
    }
    for (std::string_view const text : texts)
        for (std::string_view const path : parser::split(text, ','))
            if (auto refusal = check_path(path, at.type)) return refusal;
    // At the root, Strapi looks at the text as it was written.
    bool const is_nested = at.raw;
    auto const walked = [&](std::string_view text) {
        return is_nested ? without_leading_dots(text) : text;
    };
    for (std::string_view const text : texts)
        if (auto refusal = check_hidden(walked(text), at.type, at.path)) return refusal;
    if (!is_nested) return std::nullopt;
    for (std::string_view const text : texts)
        if (auto refusal = check_whole(walked(text), at.type, at.path)) return refusal;
    return std::nullopt;
}

Refusal PopulateWalk::attribute(Attribute const& attribute, Tree const& value,
                                Level const& at) const {
    Place const path{at.path, attribute.name};
    Place const raw{at.raw, attribute.name};
    Object const* object = value.object();
    bool const has_fragments = attribute.is_polymorphic();
    if (has_fragments && object)
        if (Tree const* populate = object->find("populate");
            populate && !populate->is_null() && !(populate->text() && *populate->text() == "*"))
            return invalid_key("populate", dotted(&raw), populate_param);
    if (attribute.is_scalar()) return invalid_key(attribute.name, dotted(&raw), populate_param);
    if (!has_fragments)
        return options(value, {*attribute.target, &path, &raw}, !attribute.is_of_document());
    // If `on` cannot be read, nothing else of a polymorphic attribute is checked.
    Tree const* on = object ? object->find("on") : nullptr;
    bool const is_read =
        on && (attribute.is_relation() ? on->object() || on->list() : !parser::is_blank(*on));
    return is_read ? fragments(*on, {at.type, &path, &raw}) : std::nullopt;
}

Refusal PopulateWalk::options(Tree const& tree, Level const& at, bool takes_window) const {
    if (auto const* text = tree.text()) return *text == "*" ? std::nullopt : word(*text, at);
    if (List const* list = tree.list(); list && is_texts(*list)) {
        for (Tree const& element : *list)
            if (auto refusal = word(*element.text(), at)) return refusal;
        return std::nullopt;
    }
    if (auto refusal = check_length(tree)) return refusal;
    return each_member(tree, [&](std::string_view key, Tree const& value) -> Refusal {
        if (takes_window && (key == "start" || key == "limit")) return std::nullopt;
        return option(key, value, at);
    });
}

// Checks a text instead of options: true and the like, or the name of an option, which counts as if
// it was true.
Refusal PopulateWalk::word(std::string_view text, Level const& at) const {
    constexpr std::string_view options[] = {"sort", "filters", "fields", "populate", "count"};
    std::string_view const name = text.substr(0, text.find('.'));
    if (name == "__proto__" || is_boolean(name) || std::ranges::count(options, name))
        return std::nullopt;
    Place const raw{at.raw, name};
    if (name == "on") return invalid_key(name, dotted(&raw), populate_param);
    Place const path{at.path, name};
    bool const is_found = find_attribute(at.type, name) || parser::is_inherited(name);
    return invalid_key(name, dotted(is_found ? &path : at.path), populate_param);
}

Refusal PopulateWalk::option(std::string_view key, Tree const& value, Level const& at) const {
    if (key == "on") return fragments(value, at);
    if (key == "count" ? value.text() && is_boolean(*value.text()) : is_boolean(key))
        return std::nullopt;
    if (key == "sort") return check_sort(names_, value, at.type, populate_param);
    if (key == "filters") return check_filters(names_, value, at.type, populate_param);
    if (key == "fields") return check_fields(names_, value, at.type, populate_param);
    Place const raw{at.raw, key};
    if (key == "populate") return set(value, {at.type, at.path, &raw});
    Place const path{at.path, key};
    return invalid_key(key, dotted(find_attribute(at.type, key) ? &path : at.path), populate_param);
}

Refusal PopulateWalk::fragments(Tree const& tree, Level const& at) const {
    Place const on{at.raw, "on"};
    if (!tree.object() && !tree.list()) return invalid_key("on", dotted(&on), populate_param);
    auto refusal = each_member(tree, [&](std::string_view uid, Tree const&) -> Refusal {
        Place const raw{&on, uid};
        if (names_.schema.find(uid)) return std::nullopt;
        return invalid_key(uid, dotted(&raw), populate_param);
    });
    if (refusal) return refusal;
    return each_member(tree, [&](std::string_view uid, Tree const& fragment) {
        std::string const key = "[" + std::string(uid) + "]";
        Place const raw{&on, key};
        return options(fragment, {*names_.schema.find(uid), at.path, &raw}, false);
    });
}

} // namespace

bool is_boolean(std::string_view text) {
    return parser::read_flag(text).has_value();
}

Refusal check_populate(Names const& names, Tree const& tree, ContentType const& type) {
    return PopulateWalk(names).set(tree, {type, nullptr, nullptr});
}

} // namespace db
