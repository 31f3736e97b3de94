#include "db/plan/bind_passes.hpp"

#include <algorithm>
#include <tuple>

namespace db {

using parser::QueryPlace;

namespace {

Attribute const* find_field(ContentType const& type, std::string_view name) {
    Attribute const* attribute = type.find(name);
    if (!attribute) attribute = type.find_by_column(name);
    return attribute && attribute->is_scalar() ? attribute : nullptr;
}

bool is_too_far(BindContext& context, std::size_t hops) {
    parser::Limits const& limits = context.limits;
    return context.is_over(hops > limits.filter_hops, &parser::Limits::filter_hops) ||
           context.is_over(hops > limits.sort_hops, &parser::Limits::sort_hops);
}

std::optional<SortColumn> sort_column(BindContext& context, parser::SortKey const& key,
                                      ContentType const& type, QueryPlace const& place) {
    SortColumn sort{.hops = {}, .column = {}, .descending = key.descending};
    ContentType const* current = &type;
    for (std::size_t i = 0; i < key.path.size(); ++i) {
        std::string const& name = key.path[i];
        bool const last = i + 1 == key.path.size();
        if (name == "id" && last) {
            sort.column = "id";
            return sort;
        }
        Attribute const* attribute = current->find(name);
        if (!attribute) {
            if (context.rules.sorts_by_status && name == "status" && type.draft_and_publish)
                return std::nullopt;
            if (last && current->find_by_column(name))
                context.expect("an attribute's name", place);
            else
                context.refuse(Pass::unknown, name, place);
            return std::nullopt;
        }
        context.check_use(*attribute, place);
        if (last && !attribute->is_scalar())
            context.refuse(Pass::shape, key.direction.empty() ? name : key.direction, place);
        if (attribute->is_scalar()) {
            if (!last) {
                context.expect("a path that ends at an attribute with a value", place);
                return std::nullopt;
            }
            sort.column = attribute->column;
            return sort;
        }
        if (is_too_far(context, i + 1) || !attribute->target) return std::nullopt;
        sort.hops.push_back({&attribute->link, attribute->target});
        current = attribute->target;
    }
    return std::nullopt;
}

parser::Checked<parser::SortKey> const& as_walked(parser::Checked<parser::SortKey> const& key,
                                                  ContentType const& type) {
    auto const& [path, descending, direction, walked] = key.unchecked();
    if (walked.empty() || path.empty()) return key;
    Attribute const* first = type.find(path.front());
    return first && first->target ? walked.front() : key;
}

} // namespace

void Refusals::name(Pass pass, std::string_view key, std::string_view where) {
    if (name_ && std::tie(name_parameter_, name_pass_) <= std::tie(parameter_, pass)) return;
    name_ = parser::invalid_parameter(key, where);
    name_parameter_ = parameter_;
    name_pass_ = pass;
}

void Refusals::value(parser::Error error) {
    if (!value_) value_ = std::move(error);
}

void BindContext::refuse(Pass pass, std::string_view name, QueryPlace const& place) {
    refusals.name(pass, name, place.text());
}

void BindContext::expect(std::string_view expected, QueryPlace const& place) {
    refuse_value(parser::invalid_value(place.text(), expected));
}

void BindContext::ignore(std::string_view name, QueryPlace const& place) {
    if (options.strict) ignored.push_back(QueryPlace{&place, name}.text());
}

bool BindContext::is_over(bool exceeded, std::size_t parser::Limits::* limit) {
    if (exceeded) refuse_value(parser::over_limit(limits, limit));
    return exceeded;
}

bool BindContext::is_permitted(Attribute const& attribute) const {
    return permissions.grant_use(attribute);
}

void BindContext::check_use(Attribute const& attribute, QueryPlace const& place) {
    if (attribute.type == AttributeType::dynamic_zone) refuse(Pass::zone, attribute.name, place);
    if (attribute.is_polymorphic()) refuse(Pass::morph, attribute.name, place);
    if (attribute.is_hidden()) refuse(Pass::hidden, attribute.name, place);
    if (!is_permitted(attribute)) refuse(Pass::unpermitted, attribute.name, place);
}

bool has_field(ContentType const& type, std::string_view name) {
    return name == "id" || find_field(type, name);
}

std::vector<Attribute const*> bind_fields(BindContext& context,
                                          parser::Checked<parser::FieldSelection> const& checked,
                                          ContentType const& type, QueryPlace const& place) {
    context.refusals.begin_parameter();
    QueryPlace const here{&place, "fields"};
    parser::FieldSelection const& fields = context.use(checked);
    std::vector<Attribute const*> columns;
    Attribute const* document = type.has_documents ? type.find(document_attribute) : nullptr;
    if (document) columns.push_back(document);
    for (std::string const& name : fields.names) {
        if (name == "id") continue;
        Attribute const* attribute = find_field(type, name);
        if (!attribute)
            context.refuse(Pass::unknown, name, here);
        else if (attribute->is_hidden())
            context.refuse(Pass::hidden, name, here);
        else if (!fields.all && std::ranges::find(columns, attribute) == columns.end())
            columns.push_back(attribute);
    }
    if (!fields.all) return columns;
    for (std::size_t const index : type.column_order)
        if (Attribute const& attribute = type.attributes[index];
            !attribute.is_hidden() && &attribute != document)
            columns.push_back(&attribute);
    return columns;
}

std::vector<SortColumn> bind_sort(BindContext& context, parser::Selection const& selection,
                                  ContentType const& type, QueryPlace const& place) {
    context.refusals.begin_parameter();
    QueryPlace const here{&place, "sort"};
    std::vector<SortColumn> columns;
    for (parser::Checked<parser::SortKey> const& written : context.use(selection.sort)) {
        auto const& key = as_walked(written, type);
        // Errors of its path come before those of its direction.
        if (auto column = sort_column(context, key.unchecked(), type, here))
            columns.push_back(*std::move(column));
        context.use(key);
    }
    return columns;
}

} // namespace db
