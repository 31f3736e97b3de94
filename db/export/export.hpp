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
    bool with_credentials = false; // what is_credential(): hashes of passwords, reset tokens
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

} // namespace db
