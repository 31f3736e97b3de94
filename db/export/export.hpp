#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace db {

// Called with each value that stays behind, as an import would refuse it: what Strapi itself would
// not take, passwords that are no bcrypt hash, references to rows that are gone.
using LeftBehind = std::function<void(std::string const& what)>;

struct ExportOptions {
    bool with_secrets = false; // hashes of passwords, tokens to reset them
};

// Writes the content of the tables, as it is at one moment, as a folder that import_folder() takes
// (see there for the format), and returns how many entries that are. The folder is made; if it is
// there it has to be empty, and on an error it is again. Nothing of the database changes.
//
// Not carried over are API tokens and other rows of the CMS's own tables, microseconds of times,
// the text of JSON columns beside its meaning, and numbers of orders beside the sequence they make.
//
// Takes memory for the largest type, and for all components.
parser::Result<std::size_t> export_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& folder,
                                          ExportOptions const& options,
                                          LeftBehind const& left_behind);

// Writes the tables of the schema, as they are at one moment, as SQL that phpMyAdmin or any client
// of MySQL and MariaDB loads, and returns how many rows that are. Each table is dropped, made as
// create-tables makes it, and filled. The file must be new; a name with `.gz` is compressed; on an
// error it is gone. Columns of which the schema knows nothing are left out, and without secrets
// also passwords, tokens and their hashes, and settings that answers do not depend on.
//
// Takes memory for 1,000 rows.
parser::Result<std::size_t> export_sql(Connection& connection, Schema& schema,
                                       std::filesystem::path const& file,
                                       ExportOptions const& options);

} // namespace db
