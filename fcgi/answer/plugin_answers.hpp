#pragma once

#include "db/cms/accounts.hpp"
#include "fcgi/http/route.hpp"

#include "db/result_tree.hpp"
#include "parser/base/limits.hpp"

#include <string>

// The lists of locales and roles, whose answers have a shape and members of their own in
// Strapi 4.26 and take no parameters.

namespace fcgi {

parser::Result<db::ReadPlan> bind_plugin_answer(Route const& route, db::Schema const& schema,
                                                parser::Limits const& limits);

// locales: [{"id","name","code",…,"isDefault"}]; roles: {"roles":[{"id","name",…,"nb_users"}]}
void append_plugin_answer(std::string& out, Route const& route, db::ReadPlan const& plan,
                          db::ResultTree const& result, db::Site const& site);

} // namespace fcgi
