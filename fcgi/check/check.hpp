#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/options/options.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace fcgi {

// One thing that does not fit, and what would help.
struct Finding {
    bool is_problem; // else it is worth knowing, and may be meant so
    std::string what;
    std::string cure; // empty: it is in `what`
};

// What the settings alone tell: socket, secrets, environment.
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
// whether it is a project of another CMS or database.
std::vector<Finding> check_project_code(Options const& options, db::Schema const& schema);

// What the database lacks, whether it is of another version than the files, and what the account
// may do there. Fits the schema to it. 503 if it does not answer.
parser::Result<std::vector<Finding>> check_database(Options const& options,
                                                    db::Connection& connection, db::Schema& schema);

// Whose token `bearer` is and what it may read, told on standard output; or why it is refused.
std::vector<Finding> check_bearer(std::string const& bearer, Options const& options,
                                  db::Schema const& schema);

} // namespace fcgi
