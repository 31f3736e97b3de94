#pragma once

#include "db/schema/schema.hpp"
#include "fcgi/options/options.hpp"

#include <string>

// Describes what is served as an OpenAPI 3.1 document: every route with its parameters, and every
// content type and component with its queries and responses. Private attributes, passwords and
// types that no route leads to are left out; permissions are not considered.
//
// Parameters that contain names (`populate`, `filters`, `sort`) are of style deepObject at any
// depth: bracket notation, as the npm package qs writes it.
//
// The document has extensions for what OpenAPI cannot say:
//   x-permission    of an operation: the action that the caller must be granted
//   x-content-type  of an operation: the UID of its type; of a schema that describes entries:
//                   {uid, kind, draftAndPublish, localized}
//   x-attribute     of a member of entries: {type, relation, many, targets}; `targets` are the UIDs
//                   of the types behind a relation, media, component or zone
//   x-answer        of an option of populate: the schema that the populated value then has, instead
//                   of the one that entries say
//
// In the deep form, types refer to each other in cycles, at which tools that expand references do
// not end. The flat form has no cycles: relations are described one level down, with their
// scalars, and `filters` and `populate` are objects with any members.

namespace fcgi {

enum class DocumentForm : std::uint8_t { deep, flat };

std::string openapi_document(db::Schema const& schema, Options const& options,
                             DocumentForm form = DocumentForm::deep);

} // namespace fcgi
