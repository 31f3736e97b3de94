#pragma once

#include "db/schema/schema.hpp"
#include "fcgi/check/check.hpp"
#include "fcgi/options/options.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace fcgi {

// Routes that their middlewares keep with the CMS, with what would serve them; what the file of
// `default-parameters` says in vain.
std::vector<Finding> check_default_parameters(Options const& options, db::Schema const& schema);

// A file of db/schema/default_parameters.hpp, made or renewed.
struct DerivedDefaults {
    boost::json::object file;
    std::size_t derived = 0;       // actions whose middleware says all
    std::vector<std::string> left; // the others, each with the reason
};

// `file` is what it says today. An entry stays as it is where its middleware does not say all.
DerivedDefaults derive_defaults(boost::json::object file, Options const& options,
                                db::Schema const& schema);

} // namespace fcgi
