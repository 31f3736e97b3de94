#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstddef>
#include <filesystem>

namespace db {

// Writes the tables as SQL into a new file, for export_sql(), within a transaction of the caller's.
parser::Result<std::size_t> write_dump(Connection& connection, Schema const& schema,
                                       std::filesystem::path const& file, bool with_secrets);

} // namespace db
