#pragma once

#include "db/schema/schema.hpp"
#include "fcgi/check/check.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// Returns the data that a route's middleware gives `ctx.query.populate`, if it does nothing else
// but log texts and go on:
//
//     const populate = { seo: true };
//     module.exports = (config, { strapi }) => async (ctx, next) => {
//       ctx.query.populate = populate;
//       await next();
//     };
//
// An error says what else it does.
parser::Result<boost::json::value> assigned_populate(std::string_view source);

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
