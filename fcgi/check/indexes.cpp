#include "db/read/index.hpp"
#include "fcgi/check/check.hpp"

namespace fcgi {

std::vector<Finding> check_indexes(std::string const& file, db::Connection& connection) {
    auto indexes = db::read_index_file(file);
    if (!indexes)
        return {{Finding::problem, "indexes: " + indexes.error().message,
                 "name a file of `populate-fcgi indexes suggest`"}};
    auto const missing = db::missing_indexes(connection, *std::move(indexes));
    if (!missing)
        return {
            {Finding::not_compared, "the indexes of " + file + ": " + missing.error().cause, ""}};
    char const* const client = connection.is_mariadb() ? "mariadb" : "mysql";
    std::vector<Finding> findings;
    for (db::Index const& index : *missing)
        findings.push_back({Finding::problem,
                            "the index " + name_of(index) + " of " + index.table +
                                " does not exist, so requests that use it are slow",
                            std::string("in ") + client + ", run " +
                                std::string(db::short_lock_wait) + ' ' +
                                db::creation_of(index, !connection.is_mariadb()).str() + ';'});
    return findings;
}

} // namespace fcgi
