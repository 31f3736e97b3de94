#pragma once

#include "db/binlog/change_log.hpp"
#include "db/mysql/database_url.hpp"
#include "db/mysql/pool.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/process/events.hpp"

#include <memory>

namespace fcgi {

// Makes the change log, which reports changes in the database, as the options want it; null: there
// is none. It does nothing before it is started.
std::unique_ptr<db::ChangeLog> make_change_log(Options const& options, Observer const& observe);

// Reads the options again. The pool gets the hosts that they name by now, unless they cannot be
// read; which other options have changed is reported.
void read_options(Options const& options, Observer const& observe, db::Pool& pool);

// Follows the binlog of that server from now on, with the account for it; null: of no server.
void follow(db::ChangeLog& log, db::DatabaseUrl const* server, Options const& options);

} // namespace fcgi
