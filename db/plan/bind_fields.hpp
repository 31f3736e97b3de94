#pragma once

#include "db/plan/bind_context.hpp"

namespace db {

// `fields`: the scalars to answer, without the id. Without names all that are not hidden, in the
// order of the table. The documentId comes first, asked for or not.
std::vector<Attribute const*> bind_fields(BindContext& context,
                                          parser::Checked<parser::FieldSelection> const& checked,
                                          ContentType const& type, parser::Place const& place);

// Whether `fields` may name it, by the attribute or by the column.
bool has_field(ContentType const& type, std::string_view name);

} // namespace db
