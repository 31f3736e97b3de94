#include "db/plan/bind.hpp"

#include "db/plan/checks.hpp"
#include "db/plan/populated.hpp"
#include "parser/base/javascript.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <string>

namespace db {

using parser::List;
using parser::Object;
using parser::QueryPlace;
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

// Checks the directions in a `sort` of entries of `type`, and names that no order can be made of.
Refusal check_sort_values(Tree const& tree, ContentType const& type) {
    if (!has_sort(tree)) return std::nullopt;
    if (List const* list = tree.list()) {
        for (Tree const& element : *list)
            if (auto refusal = check_value(element, type)) return refusal;
        return std::nullopt;
    }
    return check_value(tree, type);
}

// The checks that Strapi 5.54 makes when all names are known to be right and those that the caller
// may not use are removed.

bool is_text(Tree const* tree, std::string_view text) {
    return tree && tree->text() && *tree->text() == text;
}

bool is_object(Tree const* tree) {
    return tree && (tree->object() || tree->list());
}

bool may_populate(Permissions const& permissions, Attribute const& attribute) {
    return !attribute.is_scalar() && !attribute.is_private && permissions.grant_use(attribute);
}

// Visits the attributes in `populate` that the caller may see. `visit` is given each with its value
// and the path to it.
template<class Visit>
Refusal each_permitted(NameScope const& names, Tree const& populate, ContentType const& type,
                       QueryPlace const* path, Visit const& visit) {
    if (!populate.object()) return std::nullopt;
    return each_member(populate, [&](std::string_view key, Tree const& value) -> Refusal {
        Attribute const* attribute = find_attribute(type, key);
        if (!attribute || !may_populate(names.permissions, *attribute)) return std::nullopt;
        return visit(*attribute, value, QueryPlace{path, key});
    });
}

// Visits the fragments in an attribute's options, for types that the caller may see.
template<class Visit>
Refusal each_fragment(NameScope const& names, Attribute const& attribute, Object const& options,
                      Visit const& visit) {
    Tree const* on = options.find("on");
    if (!on) return std::nullopt;
    return each_member(*on, [&](std::string_view uid, Tree const& value) -> Refusal {
        ContentType const* type = names.schema.find(uid);
        bool const is_seen = !attribute.is_relation() || names.permissions.grants_find(uid);
        return type && is_seen ? visit(*type, value) : std::nullopt;
    });
}

// Checks an attribute's options at `path`, which are about entries of `type`.
Refusal wildcards_of(NameScope const& names, Tree const& options, ContentType const& type,
                     QueryPlace const& path);

// Refuses `*` instead of an attribute's options. It stands for the attributes of the related type,
// which are not options: the error names the first of them, without `source` and `param`.
Refusal wildcards_in(NameScope const& names, Tree const& populate, ContentType const& type,
                     QueryPlace const* path) {
    return each_permitted(
        names, populate, type, path,
        [&](Attribute const& attribute, Tree const& value, QueryPlace const& here) -> Refusal {
            if (!attribute.is_polymorphic())
                return wildcards_of(names, value, *attribute.target, here);
            if (!value.object()) return std::nullopt;
            return each_fragment(names, attribute, *value.object(),
                                 [&](ContentType const& target, Tree const& fragment) {
                                     return wildcards_of(names, fragment, target, here);
                                 });
        });
}

Refusal wildcards_of(NameScope const& names, Tree const& options, ContentType const& type,
                     QueryPlace const& path) {
    if (Object const* object = options.object()) {
        Tree const* populate = object->find("populate");
        return populate ? wildcards_in(names, *populate, type, &path) : std::nullopt;
    }
    if (!is_text(&options, "*")) return std::nullopt;
    auto const first = std::ranges::find_if(type.attributes, [&](Attribute const& attribute) {
        return may_populate(names.permissions, attribute);
    });
    if (first == type.attributes.end()) return std::nullopt;
    QueryPlace const here{&path, first->name};
    return invalid_key(first->name, dotted(&here), "");
}

Refusal check_field_values(Tree const& fields) {
    auto const is_name = [](Tree const& element) {
        return element.is_null() ||
               (element.text() && element.text()->find(',') == std::string::npos);
    };
    if (fields.text() || (fields.list() && std::ranges::all_of(*fields.list(), is_name)))
        return std::nullopt;
    return invalid("Invalid fields parameter. Expected a string or an array of strings");
}

Refusal check_populate_values(NameScope const& names, Tree const& populate,
                              ContentType const& type);

// Checks what entries of `type` are asked for.
Refusal check_selection(NameScope const& names, Object const& selection, ContentType const& type,
                        bool is_root) {
    Refusal refusal;
    auto const check = [&](std::string_view key, auto const& find) {
        Tree const* tree = selection.find(key);
        bool const is_said = tree && !tree->is_null() && (is_root || !is_text(tree, ""));
        if (is_said && !refusal) refusal = find(*tree);
    };
    check("sort", [&](Tree const& tree) { return check_sort_values(tree, type); });
    check("filters", [](Tree const& tree) -> Refusal {
        if (is_object(&tree)) return std::nullopt;
        return invalid("The filters parameter must be an object or an array");
    });
    check("fields", check_field_values);
    check("populate", [&](Tree const& tree) { return check_populate_values(names, tree, type); });
    return refusal;
}

Refusal check_options(NameScope const& names, Tree const& options, ContentType const& type) {
    if (options.list() || is_text(&options, "__proto__"))
        return invalid("Invalid nested populate. Expected '*' or an object");
    if (!options.object()) return std::nullopt;
    return check_selection(names, *options.object(), type, false);
}

// Returns whether the value is null, a boolean, or has only options that may stand beside
// fragments.
bool is_known_form(Tree const& value) {
    if (Object const* options = value.object())
        return std::ranges::all_of(options->members(), [](Object::Member const& member) {
            return member.first == "on" || member.first == "count" || member.first == "populate";
        });
    return value.is_null() || (value.text() && is_boolean(*value.text()));
}

// Checks the value of an attribute that has entries of several types.
Refusal check_fragments(NameScope const& names, Attribute const& attribute, Tree const& value,
                        ContentType const& type) {
    Object const* options = value.object();
    Tree const* on = options ? options->find("on") : nullptr;
    // Without fragments a relation is not populated, and in a zone they are all that is left.
    bool const is_cut = names.schema.cms.rules.cuts_populate;
    if (attribute.is_relation() && !is_object(on) && is_cut) return std::nullopt;
    bool const is_left_alone = !attribute.is_relation() && is_object(on);
    if (!is_left_alone && !is_known_form(value))
        return invalid("Invalid nested populate for " + type.singular + "." + attribute.name +
                       " (" + type.uid + R"(). Expected a fragment ("on") or "count" but found )" +
                       parser::dump(value));
    if (!options) return std::nullopt;
    return each_fragment(names, attribute, *options,
                         [&](ContentType const& target, Tree const& fragment) {
                             return check_options(names, fragment, target);
                         });
}

Refusal check_populate_values(NameScope const& names, Tree const& populate,
                              ContentType const& type) {
    if (populate.list() && !is_texts(*populate.list()))
        return invalid("Invalid populate parameter. Expected a string, an array of strings, a "
                       "populate object");
    return each_permitted(
        names, populate, type, nullptr,
        [&](Attribute const& attribute, Tree const& value, QueryPlace const&) -> Refusal {
            if (attribute.is_polymorphic()) return check_fragments(names, attribute, value, type);
            Tree const* on = value.object() ? value.object()->find("on") : nullptr;
            if (on && !on->is_null())
                return invalid("Using fragments is not permitted to populate \"" + attribute.name +
                               "\" in \"" + type.uid + "\"");
            return check_options(names, value, *attribute.target);
        });
}

// Returns whether a text, or the first in a list, begins with `deep` or `deep,N`.
bool is_deep(Tree const& populate) {
    Tree const* first = &populate;
    if (auto const* list = populate.list(); list && !list->empty()) first = &list->front();
    return first->text() && (*first->text() == "deep" || first->text()->starts_with("deep,"));
}

Refusal check_names(NameScope const& names, Object const& query, Tree const* populate,
                    ContentType const& type) {
    Refusal refusal;
    auto const check = [&](std::string_view key, auto const& find) {
        if (Tree const* tree = query.find(key); tree && !refusal) refusal = find(*tree);
    };
    check("filters", [&](Tree const& t) { return check_filters(names, t, type, "filters"); });
    check("sort", [&](Tree const& t) { return check_sort(names, t, type, "sort"); });
    check("fields", [&](Tree const& t) { return check_fields(names, t, type, "fields"); });
    if (populate && !refusal) refusal = check_populate(names, *populate, type);
    return refusal;
}

} // namespace

bool has_sort(Tree const& tree) {
    if (auto const* text = tree.text()) return text_sorts(*text);
    if (Object const* object = tree.object()) return object_sorts(*object);
    return tree.list() && std::ranges::any_of(*tree.list(), [](Tree const& element) {
               return !element.list() && has_sort(element);
           });
}

Refusal validate(Object const& query, ReadTarget const& target, Schema const& schema,
                 Permissions const& permissions) {
    NameScope const names{schema, permissions};
    ContentType const& type = *target.type;
    Tree const* populate = query.find("populate");
    if (populate && is_deep(*populate) && knows_deep(schema)) populate = nullptr;
    if (auto refusal = check_names(names, query, populate, type)) return refusal;
    // Plugins read without Strapi's layer of documents, which looks at the query once more.
    if (!target.plain) {
        if (populate)
            if (auto refusal = wildcards_in(names, *populate, type, nullptr)) return refusal;
        if (Tree const* lookup = query.find("lookup"); lookup && !parser::is_blank(*lookup))
            return invalid("Invalid params: 'lookup'");
    }
    return check_selection(names, query, type, true);
}

} // namespace db
