#pragma once

#include "parser/base/error.hpp"

#include <boost/json/value.hpp>

#include <string_view>

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

} // namespace fcgi
