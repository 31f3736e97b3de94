#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/options/options.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fcgi {

// One thing to be known, and what would help.
struct Finding {
    enum Kind : std::uint8_t {
        obstacle,     // nothing can be said of the rest
        problem,      // it does not fit
        difference,   // it is set otherwise than in the CMS, and may be meant so
        not_compared, // whether it fits is not known
        note,         // it fits, and is worth knowing
    };
    Kind kind;
    std::string what;
    std::string cure; // empty: it is in `what`
};

// What the settings alone tell: socket, environment.
std::vector<Finding> check_settings(Options const& options);

// Whether all processes at their worst have room in the cgroup (of version 2 or 1, and those above
// it) and in the machine. What says so is read below `root`.
std::vector<Finding> check_memory(Options const& options, std::filesystem::path const& root = "/");

// Why the cache, where one is wanted, cannot be right, or would be of little use. Asks the
// database.
std::vector<Finding> check_cache(Options const& options);

// Of several hosts of the database: which does not answer, or would not be asked, and what a
// replica says of that; what tells primaries from replicas. Asks all of them, as those who serve
// do.
std::vector<Finding> check_hosts(Options const& options);

// UIDs in the settings that the content model does not have.
std::vector<Finding> check_uids(Options const& options, db::Schema const& schema);

// What the project's config/*.js visibly sets and we were told otherwise. It is JavaScript, and not
// run: only `name: value` is looked for.
std::vector<Finding> check_project_settings(Options const& options);

// What of the project's own code and packages answers may depend on, and is not run here; and
// whether it is a project of another CMS.
std::vector<Finding> check_project_code(Options const& options, db::Schema const& schema);

// Whether the secrets and the database are those that the CMS goes by, as far as the files of its
// project show it. `connection` is to our database, or null where it does not answer. Where no CMS
// `has_set_up` that, there is nothing to compare.
std::vector<Finding> check_cms(Options const& options, db::Connection* connection, bool has_set_up);

// What the database lacks, whether it is of another version than the files, and what the account
// may do there. Fits the schema to it. `unreachable` if it does not answer.
parser::Result<std::vector<Finding>> check_database(Options const& options,
                                                    db::Connection& connection, db::Schema& schema);

// Whose token `bearer` is and what it may read, told on standard output; or why it is refused.
std::vector<Finding> check_bearer(std::string const& bearer, Options const& options,
                                  db::Schema const& schema);

} // namespace fcgi
