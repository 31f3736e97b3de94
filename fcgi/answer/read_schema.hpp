#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/options/options.hpp"

#include <memory>
#include <optional>

namespace fcgi {

// Reads the schema of the files, with the types that `serve-types` adds to those served. `version`
// is what the database says; absent: what the files say.
parser::Result<std::shared_ptr<db::Schema>>
read_schema(Options const& options, std::optional<db::Version> version = std::nullopt);

// Returns the version of the database's tables; none: they are not those of a CMS. It is an error
// if `strapi` names another version.
parser::Result<std::optional<db::Version>> read_version(Options const& options,
                                                        db::Connection& connection);

// Reads the schema as it is for the database of `connection`: in the layout of its version, with
// the types of custom fields and what follows from there being a CMS or none. It is not fitted to
// the columns.
parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        db::Connection& connection);

} // namespace fcgi
