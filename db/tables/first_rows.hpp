#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/cms.hpp"

#include <vector>

namespace db {

// Which of the rows that Strapi and its plugins add to a new database are there.
struct FirstRows {
    bool authenticated_role = false;
    bool public_role = false;
    bool locale = false;         // any
    bool default_locale = false; // of the store
    bool advanced_settings = false;
    bool migrations = false; // any; of Strapi 5

    // Of tables that exist.
    static parser::Result<FirstRows> read(Connection& connection, bool has_migrations);
};

// Statements that insert the missing ones. A role comes with the permissions that it has in a new
// project; those of a role that is there stay as they are.
std::vector<SqlText> insert_first_rows(FirstRows const& existing, Cms const& cms);

} // namespace db
