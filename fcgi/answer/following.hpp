#pragma once

#include "db/binlog/change_log.hpp"
#include "db/hosts/database_url.hpp"
#include "db/mysql/pool.hpp"
#include "fcgi/events/events.hpp"
#include "fcgi/options/options.hpp"

#include <memory>

namespace fcgi {

// What tells of changes in the database, as the options want it; null: nothing does. It does
// nothing before it is started.
std::unique_ptr<db::ChangeLog> make_change_log(Options const& options, Observer const& observe);

// The pool's hosts are those that the options name by now, unless these cannot be read; what else
// has changed in them is told.
void read_options(Options const& options, Observer const& observe, db::Pool& pool);

// At that server from now on, with the account for it; null: at none.
void follow(db::ChangeLog& log, db::DatabaseUrl const* server, Options const& options);

} // namespace fcgi
