#include "db/indexes/existing.hpp"
#include "fcgi/check/check.hpp"

#include <algorithm>

namespace fcgi {

std::vector<Finding> check_indexes(std::string const& file, db::Connection& connection) {
    auto const indexes = db::read_index_file(file);
    if (!indexes)
        return {{Finding::problem, "--indexes: " + indexes.error().message,
                 "name the file that `indexes apply` was given"}};
    auto const existing = db::read_existing_indexes(connection);
    if (!existing)
        return {
            {Finding::not_compared, "the indexes of " + file + ": " + existing.error().cause, ""}};
    std::vector<Finding> findings;
    for (db::Index const& index : *indexes)
        if (std::ranges::none_of(*existing,
                                 [&](db::ExistingIndex const& one) { return one.is(index); }))
            findings.push_back({Finding::problem,
                                "the index " + name_of(index) + " of " + index.table +
                                    " does not exist, so requests that use it are slow",
                                "populate-fcgi indexes apply --file " + file});
    return findings;
}

} // namespace fcgi
