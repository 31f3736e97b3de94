#include "db/plan/checks.hpp"

#include "db/plan/populated.hpp"
#include "parser/base/javascript.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace db {

using parser::List;
using parser::Object;
using parser::QueryPlace;
using parser::Tree;

namespace {

using Segments = std::span<std::string_view const>;

// The type that the next name of a path is an attribute of. In a part of a zone, the last name may
// be any attribute.
struct Stop {
    ContentType const* type;
    bool is_part = false;
    auto operator<=>(Stop const&) const = default;
};

// Returns the type of the entries below which a path goes on; null if there is none.
ContentType const* next_on_path(Attribute const& attribute) {
    bool const leads_on = attribute.is_relation() || attribute.type == AttributeType::component;
    return leads_on && !attribute.is_polymorphic() ? attribute.target : nullptr;
}

void add_stops(Stop const& from, Attribute const& attribute, std::set<Stop>& stops) {
    if (ContentType const* target = next_on_path(attribute))
        stops.insert({target});
    else if (!from.is_part)
        for (ContentType const* part : attribute.targets)
            stops.insert({part, true});
}

// Returns whether one of the parts has all of the names. All parts are followed at once, however
// many there are.
bool any_part_has(Attribute const& zone, Segments names) {
    std::set<Stop> stops;
    add_stops({}, zone, stops);
    for (std::size_t i = 0; i < names.size(); ++i) {
        bool const is_last = i + 1 == names.size();
        std::set<Stop> next;
        for (Stop const& stop : stops) {
            Attribute const* attribute = find_attribute(*stop.type, names[i]);
            if (!attribute) continue;
            if (is_last && (stop.is_part || !attribute->is_scalar())) return true;
            add_stops(stop, *attribute, next);
        }
        stops = std::move(next);
    }
    return false;
}

// Checks a path in `populate`, `author.avatar`, below entries of `root`: each name must be an
// attribute that can be populated and, except for the last, lead to the entries of one type, or to
// a zone of which some part has the next name. Media lead no further.
Refusal check_path(std::string_view path, ContentType const& root) {
    std::vector<std::string_view> names;
    for (std::string_view const name : parser::split(path, '.'))
        if (auto const trimmed = parser::trimmed(name); !trimmed.empty()) names.push_back(trimmed);
    ContentType const* type = &root;
    std::string walked;
    for (std::size_t i = 0; i < names.size(); ++i) {
        Attribute const* attribute = find_attribute(*type, names[i]);
        if (!walked.empty()) walked += '.';
        walked += names[i];
        if (!attribute || attribute->is_scalar())
            return invalid_key(names[i], walked, populate_param);
        if (i + 1 == names.size()) break;
        if (attribute->type == AttributeType::dynamic_zone) {
            Segments const rest = Segments(names).subspan(i + 1);
            if (any_part_has(*attribute, rest)) break;
            return invalid_key(rest[0], walked.append(".").append(rest[0]), populate_param);
        }
        type = next_on_path(*attribute);
        if (!type) return invalid_key(names[i], walked, populate_param);
    }
    return std::nullopt;
}

// Refuses the first private name on a path. Strapi 5.54 looks for those before it cuts a text at
// its commas, and so finds none in a text that has commas. `at` leads to the entries of `root`;
// null if these are the root of the response.
Refusal check_hidden(std::string_view text, ContentType const& root, parser::QueryPlace const* at) {
    ContentType const* type = &root;
    std::string walked = dotted(at).value_or("");
    for (std::string_view const name : parser::split(text, '.')) {
        Attribute const* attribute = find_attribute(*type, name);
        if (!attribute) break;
        if (!walked.empty()) walked += '.';
        walked += name;
        if (attribute->is_private) return invalid_key(name, walked, populate_param);
        if (attribute->is_polymorphic() || !attribute->target) break;
        type = attribute->target;
    }
    return std::nullopt;
}

// Checks a path where texts are not cut at commas at all (BindingRules::splits_populate), as if it
// was written `populate[author][populate][avatar]`. `raw` is `at` with all that is between
// attributes.
Refusal check_uncut(std::string_view path, ContentType const& root, parser::QueryPlace const* at,
                    parser::QueryPlace const* raw) {
    ContentType const* type = &root;
    auto walked = dotted(at);
    auto written = dotted(raw).value_or("");
    Refusal hidden; // is reported if there is no other
    auto const names = parser::split(path, '.');
    for (std::string_view const& name : names) {
        Attribute const* attribute = find_attribute(*type, name);
        if (!attribute && is_boolean(name)) break;
        if (!attribute) return invalid_key(name, walked, populate_param);
        walked = walked ? *walked + '.' + std::string(name) : std::string(name);
        written.append(written.empty() ? "" : ".").append(name);
        if (attribute->is_scalar()) return invalid_key(name, written, populate_param);
        if (attribute->is_private && !hidden) hidden = invalid_key(name, walked, populate_param);
        if (&name == &names.back()) break;
        if (attribute->is_polymorphic() || !attribute->target)
            return invalid_key("populate", written, populate_param);
        written += ".populate";
        type = attribute->target;
    }
    return hidden;
}

// Checks a text inside of `populate`, where no text is cut at its commas.
Refusal check_whole(std::string_view text, ContentType const& root, parser::QueryPlace const* at) {
    ContentType const* type = &root;
    std::string walked = dotted(at).value_or("");
    for (std::string_view const name : parser::split(text, '.')) {
        Attribute const* attribute = find_attribute(*type, name);
        if (!attribute && is_boolean(name)) break;
        if (!attribute)
            return invalid_key(name, walked.empty() ? std::nullopt : std::optional(walked),
                               populate_param);
        walked.append(".").append(name);
        if (attribute->is_polymorphic() || !attribute->target) break;
        type = attribute->target;
    }
    return std::nullopt;
}

constexpr std::size_t most_entries = 100; // of a list; a longer one becomes an object

// Says where in `populate` something stands.
struct PopulateLevel {
    ContentType const& type; // whose attributes are named
    QueryPlace const* path;  // the attributes that lead here
    QueryPlace const* raw;   // the same, with everything between them
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
    explicit PopulateWalk(NameScope const& names) : names_(names) {}

    // Checks the value of `populate`.
    Refusal set(Tree const& tree, PopulateLevel const& at) const;

  private:
    Refusal paths(std::vector<std::string_view> const& texts, PopulateLevel const& at) const;
    Refusal attribute(Attribute const& attribute, Tree const& value, PopulateLevel const& at) const;
    // Checks the value of an attribute or a fragment. Some take `start` and `limit`, which Strapi
    // refuses everywhere.
    Refusal options(Tree const& tree, PopulateLevel const& at, bool takes_window) const;
    Refusal word(std::string_view text, PopulateLevel const& at) const;
    // Checks one option, or what stands where an attribute's name is expected and is none.
    Refusal option(std::string_view key, Tree const& value, PopulateLevel const& at) const;
    Refusal fragments(Tree const& tree, PopulateLevel const& at) const;

    NameScope const& names_;
};

Refusal PopulateWalk::set(Tree const& tree, PopulateLevel const& at) const {
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
        QueryPlace const path{at.path, key};
        if (named->is_private && !hidden) hidden = invalid_key(key, dotted(&path), populate_param);
        return attribute(*named, value, at);
    });
    return refusal ? refusal : hidden;
}

Refusal PopulateWalk::paths(std::vector<std::string_view> const& texts,
                            PopulateLevel const& at) const {
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
                                PopulateLevel const& at) const {
    QueryPlace const path{at.path, attribute.name};
    QueryPlace const raw{at.raw, attribute.name};
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

Refusal PopulateWalk::options(Tree const& tree, PopulateLevel const& at, bool takes_window) const {
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
Refusal PopulateWalk::word(std::string_view text, PopulateLevel const& at) const {
    constexpr std::string_view options[] = {"sort", "filters", "fields", "populate", "count"};
    std::string_view const name = text.substr(0, text.find('.'));
    if (name == "__proto__" || is_boolean(name) || std::ranges::count(options, name))
        return std::nullopt;
    QueryPlace const raw{at.raw, name};
    if (name == "on") return invalid_key(name, dotted(&raw), populate_param);
    QueryPlace const path{at.path, name};
    bool const is_found = find_attribute(at.type, name) || parser::is_inherited(name);
    return invalid_key(name, dotted(is_found ? &path : at.path), populate_param);
}

Refusal PopulateWalk::option(std::string_view key, Tree const& value,
                             PopulateLevel const& at) const {
    if (key == "on") return fragments(value, at);
    if (key == "count" ? value.text() && is_boolean(*value.text()) : is_boolean(key))
        return std::nullopt;
    if (key == "sort") return check_sort(names_, value, at.type, populate_param);
    if (key == "filters") return check_filters(names_, value, at.type, populate_param);
    if (key == "fields") return check_fields(names_, value, at.type, populate_param);
    QueryPlace const raw{at.raw, key};
    if (key == "populate") return set(value, {at.type, at.path, &raw});
    QueryPlace const path{at.path, key};
    return invalid_key(key, dotted(find_attribute(at.type, key) ? &path : at.path), populate_param);
}

Refusal PopulateWalk::fragments(Tree const& tree, PopulateLevel const& at) const {
    QueryPlace const on{at.raw, "on"};
    if (!tree.object() && !tree.list()) return invalid_key("on", dotted(&on), populate_param);
    auto refusal = each_member(tree, [&](std::string_view uid, Tree const&) -> Refusal {
        QueryPlace const raw{&on, uid};
        if (names_.schema.find(uid)) return std::nullopt;
        return invalid_key(uid, dotted(&raw), populate_param);
    });
    if (refusal) return refusal;
    return each_member(tree, [&](std::string_view uid, Tree const& fragment) {
        std::string const key = "[" + std::string(uid) + "]";
        QueryPlace const raw{&on, key};
        return options(fragment, {*names_.schema.find(uid), at.path, &raw}, false);
    });
}

} // namespace

bool is_boolean(std::string_view text) {
    return parser::read_flag(text).has_value();
}

Refusal check_populate(NameScope const& names, Tree const& tree, ContentType const& type) {
    return PopulateWalk(names).set(tree, {type, nullptr, nullptr});
}

} // namespace db
