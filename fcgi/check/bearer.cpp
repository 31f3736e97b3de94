#include "fcgi/access/credentials.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/check/check.hpp"

#include <boost/algorithm/string/join.hpp>

#include <iostream>

namespace fcgi {

namespace {

parser::Result<Caller> caller_of(std::string const& bearer, Options const& options,
                                 db::Schema const& schema) {
    db::Pool pool(options.database_hosts, {}, 1);
    parser::Result<db::Site> site = db::Site{};
    {
        auto const connection = pool.snapshot(options.limits.acquire);
        if (!connection) return connection.error();
        site = db::read_site(**connection, schema);
        if (!site) return site.error();
    }
    AccountTables const tables;
    return Accounts().authenticate("Bearer " + bearer, options.secrets, *site,
                                   {schema, tables, &pool, options.limits.acquire});
}

} // namespace

std::vector<Finding> check_bearer(std::string const& bearer, Options const& options,
                                  db::Schema const& schema) {
    auto const caller = caller_of(bearer, options, schema);
    if (!caller)
        return {{Finding::problem, "the bearer is refused: " + caller.error().cause,
                 "set jwt-secret to JWT_SECRET of the CMS, which signs JWTs, and api-token-salt to "
                 "its API_TOKEN_SALT, which hashes API tokens; or use another token"}};
    std::vector<std::string> readable;
    for (auto const& [path, route] : served_routes(schema))
        if (caller->permissions->grants(route.scope))
            readable.push_back(options.prefix + '/' + path);
    std::cout << "bearer: " << caller->name << ", may read "
              << (readable.empty() ? "nothing" : boost::join(readable, ", ")) << '\n';
    return {};
}

} // namespace fcgi
