#include "db/plan/populate_values.hpp"

#include "db/plan/populate_names.hpp"
#include "db/plan/sort_values.hpp"

#include <algorithm>
#include <string>

namespace db {

using parser::List;
using parser::Object;
using parser::Place;
using parser::Tree;

namespace {

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
Refusal each_permitted(Names const& names, Tree const& populate, ContentType const& type,
                       Place const* path, Visit const& visit) {
    if (!populate.object()) return std::nullopt;
    return each_member(populate, [&](std::string_view key, Tree const& value) -> Refusal {
        Attribute const* attribute = find_attribute(type, key);
        if (!attribute || !may_populate(names.permissions, *attribute)) return std::nullopt;
        return visit(*attribute, value, Place{path, key});
    });
}

// Visits the fragments in an attribute's options, for types that the caller may see.
template<class Visit>
Refusal each_fragment(Names const& names, Attribute const& attribute, Object const& options,
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
Refusal wildcards_of(Names const& names, Tree const& options, ContentType const& type,
                     Place const& path);

Refusal wildcards_in(Names const& names, Tree const& populate, ContentType const& type,
                     Place const* path) {
    return each_permitted(
        names, populate, type, path,
        [&](Attribute const& attribute, Tree const& value, Place const& here) -> Refusal {
            if (!attribute.is_polymorphic())
                return wildcards_of(names, value, *attribute.target, here);
            if (!value.object()) return std::nullopt;
            return each_fragment(names, attribute, *value.object(),
                                 [&](ContentType const& target, Tree const& fragment) {
                                     return wildcards_of(names, fragment, target, here);
                                 });
        });
}

Refusal wildcards_of(Names const& names, Tree const& options, ContentType const& type,
                     Place const& path) {
    if (Object const* object = options.object()) {
        Tree const* populate = object->find("populate");
        return populate ? wildcards_in(names, *populate, type, &path) : std::nullopt;
    }
    if (!is_text(&options, "*")) return std::nullopt;
    auto const first = std::ranges::find_if(type.attributes, [&](Attribute const& attribute) {
        return may_populate(names.permissions, attribute);
    });
    if (first == type.attributes.end()) return std::nullopt;
    Place const here{&path, first->name};
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

Refusal check_populate_values(Names const& names, Tree const& populate, ContentType const& type);

// Checks what entries of `type` are asked for.
Refusal check_selection(Names const& names, Object const& selection, ContentType const& type,
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

Refusal check_options(Names const& names, Tree const& options, ContentType const& type) {
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
Refusal check_fragments(Names const& names, Attribute const& attribute, Tree const& value,
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

Refusal check_populate_values(Names const& names, Tree const& populate, ContentType const& type) {
    if (populate.list() && !is_texts(*populate.list()))
        return invalid("Invalid populate parameter. Expected a string, an array of strings, a "
                       "populate object");
    return each_permitted(
        names, populate, type, nullptr,
        [&](Attribute const& attribute, Tree const& value, Place const&) -> Refusal {
            if (attribute.is_polymorphic()) return check_fragments(names, attribute, value, type);
            Tree const* on = value.object() ? value.object()->find("on") : nullptr;
            if (on && !on->is_null())
                return invalid("Using fragments is not permitted to populate \"" + attribute.name +
                               "\" in \"" + type.uid + "\"");
            return check_options(names, value, *attribute.target);
        });
}

} // namespace

Refusal check_wildcards(Names const& names, Tree const& populate, ContentType const& type) {
    return wildcards_in(names, populate, type, nullptr);
}

Refusal check_values(Names const& names, Object const& query, ContentType const& type) {
    return check_selection(names, query, type, true);
}

} // namespace db
