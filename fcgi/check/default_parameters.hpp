#pragma once

#include "db/schema/schema.hpp"
#include "fcgi/check/check.hpp"
#include "fcgi/options/options.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace fcgi {

// Returns the routes that are left to the CMS because of their middlewares, with what would serve
// them, and the entries of `default-parameters` that have no effect.
std::vector<Finding> check_default_parameters(Options const& options, db::Schema const& schema);

// A file of db/schema/default_parameters.hpp, new or renewed.
struct DerivedDefaults {
    boost::json::object file;
    std::size_t derived = 0;       // actions whose middleware is fully understood
    std::vector<std::string> left; // the others, each with the reason
};

// Derives the entries of the file `default-parameters`, whose present content is `file`. An entry
// stays as it is if its middleware is not fully understood.
DerivedDefaults derive_defaults(boost::json::object file, Options const& options,
                                db::Schema const& schema);

} // namespace fcgi
