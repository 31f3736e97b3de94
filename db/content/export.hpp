#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace db {

// Called with each value that is left out, since an import would refuse it: what Strapi itself
// would not take, passwords that are no bcrypt hash, references to rows that are gone.
using LeftBehind = std::function<void(std::string const& what)>;

// Writes the content of the tables, as it is at one moment, as a folder that import_folder() takes
// (see there for the format), and returns the number of entries. The folder is created. If it
// exists it must be empty, and it is emptied again on an error. The database is not changed.
//
// The export omits API tokens and other rows of the CMS's own tables, microseconds of times, the
// formatting of JSON columns, and order numbers, of which it keeps the sequence.
//
// Without secrets it also omits hashes of passwords, and tokens to reset them.
//
// It needs memory for the largest type, and for all components.
parser::Result<std::size_t> export_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& folder, bool with_secrets,
                                          LeftBehind const& left_behind);

// Writes the tables of the schema, as they are at one moment, as SQL that phpMyAdmin or any client
// of MySQL and MariaDB loads, and returns the number of rows. Each table is dropped, created as
// create-tables does it, and filled. The file must be new. It is compressed if its name ends in
// `.gz`, and removed on an error. Columns unknown to the schema are left out, and without secrets
// also passwords, tokens and their hashes, and settings that responses do not depend on.
//
// It needs memory for 1,000 rows.
parser::Result<std::size_t> export_sql(Connection& connection, Schema& schema,
                                       std::filesystem::path const& file, bool with_secrets);

} // namespace db
