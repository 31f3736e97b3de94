#pragma once

#include "db/plan/bind_context.hpp"

namespace db {

// Binds `fields`, and returns the scalars of the response, without the id. Without names these are
// all that are not hidden, in the order of the table. The documentId always comes first.
std::vector<Attribute const*> bind_fields(BindContext& context,
                                          parser::Checked<parser::FieldSelection> const& checked,
                                          ContentType const& type, parser::Place const& place);

// Whether `fields` may have this name, which is that of an attribute or of a column.
bool has_field(ContentType const& type, std::string_view name);

} // namespace db
