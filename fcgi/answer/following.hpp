#pragma once

#include "db/binlog/change_log.hpp"
#include "fcgi/events/events.hpp"
#include "fcgi/options/options.hpp"

#include <memory>

namespace fcgi {

// What tells of changes in the database, as the options want it; null: nothing does. It does
// nothing before it is started.
std::unique_ptr<db::ChangeLog> make_change_log(Options const& options, Observer const& observe);

} // namespace fcgi
