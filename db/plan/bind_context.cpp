#include "db/plan/bind_context.hpp"

namespace db {

void BindContext::refuse(Pass pass, std::string_view name, Place const& place) {
    refusals.name(pass, name, place.text());
}

void BindContext::expect(std::string_view expected, Place const& place) {
    refuse_value(parser::invalid_value(place.text(), expected));
}

void BindContext::ignore(std::string_view name, Place const& place) {
    if (options.strict) ignored.push_back(Place{&place, name}.text());
}

bool BindContext::is_over(bool exceeded, std::size_t parser::Limits::* limit) {
    if (exceeded) refuse_value(parser::over_limit(limits, limit));
    return exceeded;
}

bool BindContext::is_permitted(Attribute const& attribute) const {
    return permissions.grant_use(attribute);
}

void BindContext::check_use(Attribute const& attribute, Place const& place) {
    if (attribute.type == AttributeType::dynamic_zone) refuse(Pass::zone, attribute.name, place);
    if (attribute.is_polymorphic()) refuse(Pass::morph, attribute.name, place);
    if (attribute.is_hidden()) refuse(Pass::hidden, attribute.name, place);
    if (!is_permitted(attribute)) refuse(Pass::unpermitted, attribute.name, place);
}

} // namespace db
