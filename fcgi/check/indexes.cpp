#include "db/indexes/existing.hpp"
#include "fcgi/check/check.hpp"

namespace fcgi {

std::vector<Finding> check_indexes(std::string const& file, db::Connection& connection) {
    auto indexes = db::read_index_file(file);
    if (!indexes)
        return {{Finding::problem, "indexes: " + indexes.error().message,
                 "name the file that `indexes apply` was given"}};
    auto const missing = db::missing_indexes(connection, *std::move(indexes));
    if (!missing)
        return {
            {Finding::not_compared, "the indexes of " + file + ": " + missing.error().cause, ""}};
    std::vector<Finding> findings;
    for (db::Index const& index : *missing)
        findings.push_back({Finding::problem,
                            "the index " + name_of(index) + " of " + index.table +
                                " does not exist, so requests that use it are slow",
                            "populate-fcgi indexes apply --file " + file});
    return findings;
}

} // namespace fcgi
