#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/options/options.hpp"

#include <memory>
#include <optional>

namespace fcgi {

// The content model of the files, with the types that `serve-types` adds to those served. `version`
// is what the database says; absent: as the files do.
parser::Result<std::shared_ptr<db::Schema>>
read_schema(Options const& options, std::optional<db::Version> version = std::nullopt);

// Of the database's tables; none: it has none of a CMS. That `strapi` names the other is an error.
parser::Result<std::optional<db::Version>> read_version(Options const& options,
                                                        db::Connection& connection);

// As it is for the database of `connection`: in the layout of its version, with the types of custom
// fields and what follows from there being a CMS or none. Not fitted to its columns.
parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        db::Connection& connection);

} // namespace fcgi
