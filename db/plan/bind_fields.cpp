#include "db/plan/bind_fields.hpp"

#include <algorithm>

namespace db {

using Pass = Refusals::Pass;
using parser::Place;

namespace {

Attribute const* find_field(ContentType const& type, std::string_view name) {
    Attribute const* attribute = type.find(name);
    if (!attribute) attribute = type.find_by_column(name);
    return attribute && attribute->is_scalar() ? attribute : nullptr;
}

} // namespace

bool has_field(ContentType const& type, std::string_view name) {
    return name == "id" || find_field(type, name);
}

std::vector<Attribute const*> bind_fields(BindContext& context,
                                          parser::Checked<parser::FieldSelection> const& checked,
                                          ContentType const& type, Place const& place) {
    context.refusals.begin_parameter();
    Place const here{&place, "fields"};
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

} // namespace db
