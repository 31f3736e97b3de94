#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/cms.hpp"

#include <vector>

namespace db {

// Tells which of the rows that Strapi and its plugins add to a new database exist.
struct FirstRows {
    bool authenticated_role = false;
    bool public_role = false;
    bool locale = false;         // any locale
    bool default_locale = false; // in the settings
    bool advanced_settings = false;
    bool migrations = false; // any; Strapi 5 only

    // The tables must exist.
    static parser::Result<FirstRows> read(Connection& connection, bool has_migrations);
};

// Returns statements that insert the missing rows. A role is inserted with the permissions that it
// has in a new project; those of an existing role stay as they are.
std::vector<SqlText> insert_first_rows(FirstRows const& existing, Cms const& cms);

} // namespace db
