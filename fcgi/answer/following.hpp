#pragma once

#include "db/binlog/change_log.hpp"
#include "db/hosts/database_url.hpp"
#include "fcgi/events/events.hpp"
#include "fcgi/options/options.hpp"

#include <memory>
#include <optional>

namespace fcgi {

// What tells of changes in the database, as the options want it; null: nothing does. It does
// nothing before it is started.
std::unique_ptr<db::ChangeLog> make_change_log(Options const& options, Observer const& observe);

// The hosts that the options name by now, read anew. None: they cannot be read.
std::optional<db::DatabaseHosts> read_hosts(Options const& options, Observer const& observe);

// At that server from now on, with the account for it; null: at none.
void follow(db::ChangeLog& log, db::DatabaseUrl const* server, Options const& options);

} // namespace fcgi
