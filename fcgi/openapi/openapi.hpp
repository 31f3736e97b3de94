#pragma once

#include "db/schema/schema.hpp"
#include "fcgi/http/representation.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"

#include <array>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

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

// The OpenAPI documents of one schema as responses. Each is made once, when it is first requested;
// all requests share its bytes. Any thread may use this. `options` must outlive it.
class DocumentCache {
  public:
    DocumentCache(std::shared_ptr<db::Schema const> schema, Options const& options)
        : schema_(std::move(schema)), options_(options) {}

    // Fails with 504 if the deadline passes while another thread makes one.
    parser::Result<Representation> find(DocumentForm form, parser::Deadline const& deadline);

    std::shared_ptr<db::Schema const> const& schema() const { return schema_; }

  private:
    std::shared_ptr<db::Schema const> const schema_;
    Options const& options_;
    std::timed_mutex mutex_; // protects those below; held while one is made
    std::array<std::optional<Representation>, 2> made_; // by form
};

} // namespace fcgi
