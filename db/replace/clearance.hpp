#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "parser/base/error.hpp"

#include <cstdint>
#include <string>

namespace db {

// What a CMS has written beside content, and neither create-tables nor an import makes: `1 in
// admin_users, 61 in strapi_core_store_settings`. Empty: there is nothing of it.
parser::Result<std::string> rows_of_cms(Connection& connection, TableColumns const& tables);

// How many entries of types that are exported there are.
parser::Result<std::uint64_t> count_entries(Connection& connection, Schema const& schema);

// Deletes all rows of types that are exported, their components and pairs; pairs with what is never
// exported stay.
parser::Result<void> delete_content(Connection& connection, Schema const& schema);

// Deletes those pairs that stayed, and whose row is not there any more.
parser::Result<void> delete_lost_pairs(Connection& connection, Schema const& schema);

} // namespace db
