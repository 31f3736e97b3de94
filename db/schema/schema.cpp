#include "db/schema/schema.hpp"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/url/grammar/ci_string.hpp>

#include <algorithm>

namespace db {

namespace {

template<class Range, class Value, class Member>
auto const* first_with(Range const& range, Member member, Value const& value) {
    auto found = std::ranges::find(range, value, member);
    return found == range.end() ? nullptr : &*found;
}

} // namespace

Attribute const* Attribute::other_side() const {
    if (!target) return nullptr;
    auto const found = std::ranges::find_if(target->attributes, [this](Attribute const& other) {
        return other.owns_link != owns_link && other.link.storage != Link::Storage::none &&
               other.link.table == link.table && other.link.parent_column == link.target_column &&
               other.link.target_column == link.parent_column;
    });
    return found == target->attributes.end() ? nullptr : &*found;
}

std::string ContentType::route_name() const {
    return boost::to_lower_copy(kind == Kind::single ? singular : plural, std::locale::classic());
}

Attribute const* ContentType::find(std::string_view attribute_name) const {
    return first_with(attributes, &Attribute::name, attribute_name);
}

Attribute const* ContentType::find_by_column(std::string_view column) const {
    return column.empty() ? nullptr : first_with(attributes, &Attribute::column, column);
}

ContentType const* Schema::find(std::string_view uid) const {
    auto found = types.find(uid);
    return found == types.end() ? nullptr : found->second.get();
}

ContentType const* Schema::find_part(std::string_view uid) const {
    ContentType const* const type = find(uid);
    bool const is_part =
        type && type->kind == ContentType::Kind::component && type->not_served.empty();
    return is_part ? type : nullptr;
}

ContentType const* Schema::find_route(std::string_view name) const {
    std::string lower(name);
    std::ranges::transform(lower, lower.begin(), boost::urls::grammar::to_lower);
    auto found = routes.find(lower);
    return found == routes.end() ? nullptr : found->second;
}

void set_has_cms(Schema& schema, bool has_cms) {
    schema.has_cms = has_cms;
    if (has_cms) return;
    for (auto& [uid, type] : schema.types) {
        bool const is_closed = type->has_routes || !type->not_served.empty();
        if (is_closed || !uid.starts_with("api::")) continue;
        type->has_routes = schema.routes.emplace(type->route_name(), type.get()).second;
        if (!type->has_routes) continue;
        schema.actions.insert(uid + ".find");
        if (type->kind == ContentType::Kind::collection) schema.actions.insert(uid + ".findOne");
    }
}

} // namespace db
