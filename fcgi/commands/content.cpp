#include "fcgi/commands/content.hpp"

#include "db/content/mistakes.hpp"

#include <iostream>

namespace fcgi {

parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options) {
    if (options.database.empty())
        return parser::Error{parser::ErrorKind::configuration,
                             "database: expected mysql://user:password@host:port/name"};
    return db::Connection::open(options.database_hosts, db::owner_session);
}

int nothing_imported(int code, std::size_t mistakes) {
    if (mistakes > db::Mistakes::most_told)
        std::cerr << "and " << mistakes - db::Mistakes::most_told << " more mistakes\n";
    std::cerr << "nothing was imported\n";
    return code;
}

} // namespace fcgi
