#include "tests/properties/filter_reference.hpp"

#include "parser/base/javascript.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace properties {

namespace {

using db::Attribute;
using db::ContentType;
using parser::List;
using parser::Object;
using parser::Tree;
using Kind = Conditions::Kind;
using Found = std::optional<Conditions>; // nothing: all entries

struct Stop {
    FilterOutcome::Kind kind;
};

[[noreturn]] void fail() {
    throw Stop{FilterOutcome::Kind::failure};
}
[[noreturn]] void stop(FilterOutcome::Kind kind) {
    throw Stop{kind};
}

bool is_any_of(std::string_view key, std::initializer_list<std::string_view> keys) {
    return std::ranges::count(keys, key) > 0;
}
bool is_group(std::string_view key) {
    return is_any_of(key, {"$and", "$or"});
}
bool is_flag(std::string_view key) {
    return is_any_of(key, {"$null", "$notNull"});
}
bool takes_list(std::string_view key) {
    return is_any_of(key, {"$in", "$notIn", "$between"});
}
bool casts(std::string_view key) {
    return takes_list(key) || is_any_of(key, {"$not", "$eq", "$ne", "$gt", "$gte", "$lt", "$lte"});
}
// WHERE_OPERATORS
bool is_where(std::string_view key) {
    return casts(key) || is_flag(key) ||
           is_any_of(key, {"$eqi", "$nei", "$startsWith", "$endsWith", "$startsWithi", "$endsWithi",
                           "$contains", "$notContains", "$containsi", "$notContainsi",
                           "$jsonSupersetOf"});
}
bool is_operator(std::string_view key) {
    return is_group(key) || is_where(key);
}

bool has_operators_alone(Tree const& tree) {
    return std::ranges::all_of(tree.object()->members(),
                               [](auto const& member) { return is_where(member.first); });
}

bool leads_on(Attribute const& attribute) {
    return !attribute.is_scalar() && attribute.target;
}

// validate/validators.js and traverse/query-filters.js: unknown names fail.
class Validation {
  public:
    explicit Validation(db::Version version) : version_(version) {}

    void walk(Tree const& tree, ContentType const& type) const {
        if (tree.list())
            for (Tree const& element : *tree.list())
                walk(element, type);
        if (!tree.object()) return;
        for (auto const& [key, value] : tree.object()->members())
            member(key, value, type);
    }

  private:
    void member(std::string const& key, Tree const& value, ContentType const& type) const {
        Attribute const* attribute = type.find(key);
        if (!attribute && key != "id" && !is_operator(key)) fail();
        if (!attribute && is_opaque(key, value, type)) return;
        if (!attribute) return walk(value, type);
        if (leads_on(*attribute)) return walk(value, *attribute->target);
        if (version_ == db::Version::strapi5 && value.object()) walk(value, type);
    }

    bool is_opaque(std::string const& key, Tree const& value, ContentType const& type) const {
        return version_ == db::Version::strapi5 && is_operator(key) && key != "$not" &&
               value.object() &&
               std::ranges::none_of(value.object()->members(), [&](auto const& member) {
                   return is_operator(member.first) || type.find(member.first);
               });
    }

    db::Version version_;
};

bool is_empty_object(Tree const& tree) {
    return tree.object() && tree.object()->empty();
}

// parseType({type: 'boolean', forceCast: true})
bool is_true(Tree const& tree) {
    if (tree.is_null()) return false;
    return !tree.text() || !is_any_of(*tree.text(), {"false", "f", "0", ""});
}

// convertAndSanitizeFilters
Tree converted(Tree const& tree, ContentType const& type) {
    if (tree.list()) {
        List kept;
        for (Tree const& element : *tree.list())
            if (Tree of_element = converted(element, type); !is_empty_object(of_element))
                kept.push_back(std::move(of_element));
        return kept;
    }
    if (!tree.object()) return tree;
    std::vector<Object::Member> kept;
    for (auto const& [key, value] : tree.object()->members()) {
        Attribute const* attribute = type.find(key);
        if (!attribute && key != "id" && !is_operator(key)) continue;
        Tree of_member = attribute && leads_on(*attribute) ? converted(value, *attribute->target)
                         : !attribute && is_flag(key)
                             ? Tree(std::string(is_true(value) ? "true" : "false"))
                             : converted(value, type);
        if (!is_empty_object(of_member)) kept.emplace_back(key, std::move(of_member));
    }
    return Object(std::move(kept));
}

Found all_of(std::vector<Found> const& conditions, Kind kind = Kind::all) {
    Conditions all{.kind = kind};
    for (Found const& condition : conditions)
        if (condition) all.members.push_back(*condition);
    if (all.members.empty()) return {};
    return all.members.size() == 1 ? all.members[0] : all;
}

Found none_of(Found condition) {
    if (!condition) return {};
    return Conditions{.kind = Kind::none, .members = {*std::move(condition)}};
}

// helpers/where.js: processWhere and applyWhere.
class Where {
  public:
    // The keys of one object, where one `$and` takes the place of another.
    using Groups = std::set<std::string>;

    Found entries(Tree const& tree, ContentType const& type, Groups& groups) {
        if (tree.list()) {
            std::vector<Found> all;
            for (Tree const& element : *tree.list())
                all.push_back(entries_of(element, type));
            return all_of(all);
        }
        if (!tree.object()) fail();
        std::vector<Found> all;
        for (auto const& [key, value] : tree.object()->members())
            all.push_back(member(key, value, type, groups));
        return all_of(all);
    }

    Found entries_of(Tree const& tree, ContentType const& type) {
        Groups groups;
        return entries(tree, type, groups);
    }

    bool mixes_names() const { return has_raw_ && has_join_; }

  private:
    // A column; a raw one has values that are not cast.
    struct Column {
        std::string const& name;
        Attribute const* attribute; // null: id
        bool is_raw;
    };

    Found member(std::string const& key, Tree const& value, ContentType const& type,
                 Groups& groups) {
        bool const is_of_group = is_group(key) || key == "$not";
        if (is_of_group && !groups.insert(key).second) stop(FilterOutcome::Kind::nonsense);
        if (is_group(key)) return group(key, value, type);
        if (key == "$not") {
            if (value.object()) return none_of(entries_of(value, type));
            return value.is_null() ? Found() : none_of(raw(value, type));
        }
        if (is_where(key)) fail();
        Attribute const* attribute = type.find(key);
        if (attribute && leads_on(*attribute)) return related(*attribute, value, groups);
        return column({key, attribute, false}, value);
    }

    Found group(std::string const& key, Tree const& value, ContentType const& type) {
        if (!value.list()) fail();
        std::vector<Found> members;
        for (Tree const& element : *value.list())
            members.push_back(element.object() ? entries_of(element, type) : raw(element, type));
        return all_of(members, key == "$or" ? Kind::any : Kind::all);
    }

    // processRelationWhere
    Found related(Attribute const& attribute, Tree const& value, Groups& groups) {
        has_join_ = true;
        Found condition = of_related(*attribute.target, value, groups);
        if (!condition) return {};
        return Conditions{
            .kind = Kind::related, .members = {*std::move(condition)}, .name = attribute.name};
    }

    Found of_related(ContentType const& target, Tree const& value, Groups& groups) {
        static std::string const id = "id";
        Column const ids{id, nullptr, true};
        if (!value.object()) return column(ids, value);
        auto const& members = value.object()->members();
        auto const operators = std::ranges::count_if(
            members, [](auto const& member) { return is_operator(member.first); });
        if (operators > 0 && members.size() > 1) fail();
        if (operators == 0 || is_group(members[0].first)) return entries(value, target, groups);
        auto const& [key, operand] = members[0];
        if (!operand.object()) return operation(ids, key, operand);
        // D1: `filters[tags][$not][$eq]=1` finds entries here.
        if (key == "$not" && has_operators_alone(operand)) stop(FilterOutcome::Kind::unknown);
        if (key == "$not") fail();
        entries_of(operand, target);
        stop(FilterOutcome::Kind::nonsense); // compared with a comparison, or '%[object Object]%'
    }

    // applyWhere, of what processWhere left alone: keys are columns.
    Found raw(Tree const& tree, ContentType const& type) {
        has_raw_ = true;
        std::vector<Found> all;
        if (tree.list()) {
            for (Tree const& element : *tree.list())
                all.push_back(raw(element, type));
            return all_of(all);
        }
        if (!tree.object()) fail();
        for (auto const& [key, value] : tree.object()->members())
            all.push_back(raw_member(key, value, type));
        return all_of(all);
    }

    Found raw_member(std::string const& key, Tree const& value, ContentType const& type) {
        if (is_group(key) || key == "$not") {
            if (value.is_null()) return {};
            if (key == "$not") return none_of(raw(value, type));
            if (!value.list()) fail();
            std::vector<Found> members;
            for (Tree const& element : *value.list())
                members.push_back(raw(element, type));
            return all_of(members, key == "$or" ? Kind::any : Kind::all);
        }
        Attribute const* attribute = type.find(key);
        if (key != "id" && (!attribute || attribute->column != key)) fail();
        return column({key, attribute, true}, value);
    }

    // processAttributeWhere and applyWhereToColumn
    Found column(Column const& column, Tree const& value) {
        if (value.list()) return operation(column, "$in", value);
        if (!value.object()) return operation(column, "$eq", value);
        std::vector<Found> all;
        for (auto const& [key, operand] : value.object()->members()) {
            if (!is_where(key)) fail();
            all.push_back(operation(column, key, operand));
        }
        return all_of(all);
    }

    Found operation(Column const& of, std::string const& op, Tree const& operand) {
        if (operand.list() && !takes_list(op)) {
            std::vector<Found> any;
            for (Tree const& element : *operand.list())
                any.push_back(operation(of, op, element));
            return all_of(any, Kind::any);
        }
        if (op == "$not") return none_of(column(of, operand));
        if (operand.object()) {
            column(of, operand); // its keys are checked
            if (casts(op) && op != "$in" && op != "$notIn") fail();
            stop(FilterOutcome::Kind::nonsense); // '%[object Object]%', or as in a list
        }
        if (!operand.list()) return compared(of, op, {text_of(of, op, operand)});
        std::vector<std::optional<std::string>> values;
        for (Tree const& element : *operand.list()) {
            if (element.list()) stop(FilterOutcome::Kind::unknown);
            if (element.object()) of_object_in_list();
            values.push_back(text_of(of, op, element));
        }
        return compared(of, op, std::move(values));
    }

    // The driver writes an object as a comparison, or fails.
    [[noreturn]] void of_object_in_list() {
        stop(FilterOutcome::Kind::nonsense); // D14
    }

    Found compared(Column const& of, std::string const& op,
                   std::vector<std::optional<std::string>> values) {
        if (op == "$between" && values.size() != 2) fail();
        if (op == "$between" && std::ranges::count(values, std::optional<std::string>()) > 0)
            stop(FilterOutcome::Kind::unknown);
        if (op == "$notIn" && values.empty()) return {};
        if (!values.empty())
            return Conditions{
                .kind = Kind::compare, .name = of.name, .op = op, .values = std::move(values)};
        Conditions const null{
            .kind = Kind::compare, .name = "id", .op = "$null", .values = {"true"}};
        Conditions not_null = null;
        not_null.op = "$notNull";
        return all_of({null, not_null});
    }

    static std::optional<std::string> text_of(Column const& of, std::string const& op,
                                              Tree const& value) {
        if (value.is_null()) return {};
        std::string const& text = *value.text();
        bool const is_cast = casts(op) && of.attribute;
        auto const of_class = is_cast ? of.attribute->scalar() : db::ScalarClass::text;
        bool const is_boolean = of_class == db::ScalarClass::boolean;
        if (!is_boolean && of_class != db::ScalarClass::integer) return text;
        if (of.is_raw) return raw_number(text, is_boolean);
        if (!is_boolean && !parser::javascript_number(text)) fail();
        return text;
    }

    // The number that a text counts as in the database.
    static std::string raw_number(std::string const& text, bool is_boolean) {
        double const number = std::strtod(text.c_str(), nullptr);
        if (!is_boolean) return std::to_string(static_cast<long>(number));
        if (number != 0 && number != 1) stop(FilterOutcome::Kind::unknown);
        return number == 0 ? "false" : "true";
    }

    bool has_raw_ = false;
    bool has_join_ = false;
};

void append(Conditions const& conditions, std::string const& prefix, std::string& text) {
    auto const list = [&](std::string const& key) {
        for (std::size_t i = 0; i < conditions.members.size(); ++i)
            append(conditions.members[i], prefix + key + "[" + std::to_string(i) + "]", text);
    };
    switch (conditions.kind) {
    case Kind::all:
        return list("[$and]");
    case Kind::any:
        return list("[$or]");
    case Kind::none:
        return list("[$not][$and]");
    case Kind::related:
        return list("[" + conditions.name + "][$and]");
    case Kind::compare:
        break;
    }
    std::string const key = prefix + "[" + conditions.name + "][" + conditions.op + "]";
    for (std::size_t i = 0; i < conditions.values.size(); ++i) {
        text += "&" + key;
        if (takes_list(conditions.op)) text += "[" + std::to_string(i) + "]";
        if (conditions.values[i]) text += "=" + *conditions.values[i];
    }
}

} // namespace

FilterOutcome strapi_filters(Tree const& filters, ContentType const& type,
                             db::Version version) try {
    Validation(version).walk(filters, type);
    Where where;
    auto conditions = where.entries_of(converted(filters, type), type);
    // A raw name may be that of a column of either table.
    if (where.mixes_names()) return {FilterOutcome::Kind::unknown};
    return {FilterOutcome::Kind::conditions, std::move(conditions)};
} catch (Stop const& stopped) {
    return {stopped.kind};
}

std::string filters_text(std::optional<Conditions> const& conditions) {
    std::string text;
    if (conditions) append(*conditions, "filters[$and][0]", text);
    return text;
}

} // namespace properties
