#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/description.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/options/options.hpp"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace fcgi {

// One result of a check, and how to fix it.
struct Finding {
    enum Severity : std::uint8_t {
        obstacle,     // the rest cannot be checked
        problem,      // it does not fit
        difference,   // it differs from the CMS, which may be intended
        not_compared, // whether it fits is not known
        note,         // it fits, and is worth knowing
    };
    Severity severity;
    std::string what;
    std::string fix; // how to fix it; empty: `what` says it
};

// Checks the settings by themselves: socket, environment.
std::vector<Finding> check_settings(Options const& options);

// Checks whether the process at its largest has room in the cgroup (of version 2 or 1, and those
// above it) and in the machine. It reads the files about these below `root`.
std::vector<Finding> check_memory(Options const& options, std::filesystem::path const& root = "/");

// Returns why the cache, if one is set, cannot be right or would be of little use. Asks the
// database.
std::vector<Finding> check_cache(Options const& options);

// Returns which of several hosts of the database do not answer or would not be read from, with what
// a replica reports about that, and what makes primaries and replicas indistinguishable. It queries
// all of them, as a server does.
std::vector<Finding> check_hosts(Options const& options);

// Returns the UIDs in the settings that the schema does not have.
std::vector<Finding> check_uids(Options const& options, db::Schema const& schema);

// Returns the folder of the project, and the command that lets its CMS describe itself anew.
std::filesystem::path project_folder(std::string const& schema);
std::string command_to_describe(Options const& options);

// Returns what the CMS says of itself that differs from our settings, or leaves all to it.
std::vector<Finding> check_description(Options const& options, db::Description const& cms);

// Returns packages of the project that responses may depend on, and whether it is one of another
// version of Strapi.
std::vector<Finding> check_packages(db::Schema const& schema);

// Returns which of our secrets others could guess. `cms` is null if it says nothing of itself;
// else checks whether secrets and database are those of the CMS. `connection` is to our database,
// or null if it does not answer. If no CMS `has_set_up` that, values that cannot be compared are
// not reported.
std::vector<Finding> check_cms(Options const& options, db::Description const* cms,
                               db::Connection* connection, bool has_set_up);

// Returns whether two names or addresses lead to the same machine, as far as this one knows: they
// share an address, or both are its own. Empty if a name has no address here. Waits for DNS.
std::optional<bool> is_same_machine(std::string const& one, std::string const& other);

// Returns what the database lacks, whether it has another version than the files, and what the
// account may do there. Fits `schema` to the database. Fails with `unreachable` if the database
// does not answer.
parser::Result<std::vector<Finding>> check_database(Options const& options,
                                                    db::Connection& connection, db::Schema& schema);

// Returns which indexes of a file of `indexes suggest` the database lacks.
std::vector<Finding> check_indexes(std::string const& file, db::Connection& connection);

// Prints to standard output whose token `bearer` is and what it may read, or returns its refusal.
std::vector<Finding> check_bearer(std::string const& bearer, Options const& options,
                                  db::Schema const& schema);

} // namespace fcgi
