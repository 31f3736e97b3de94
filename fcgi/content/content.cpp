#include "fcgi/content/content.hpp"

namespace fcgi {

parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options) {
    if (options.database.empty())
        return parser::Error{parser::ErrorKind::configuration,
                             "database: expected mysql://user:password@host:port/name"};
    return db::Connection::open(options.database_hosts, db::owner_session);
}

} // namespace fcgi
