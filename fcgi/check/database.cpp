#include "db/binlog/opening.hpp"
#include "db/cms/accounts.hpp"
#include "db/cms/tables.hpp"
#include "db/mysql/server_error.hpp"
#include "db/read/index.hpp"
#include "db/schema/project_folder.hpp"
#include "fcgi/access/credentials.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/check/check.hpp"
#include "parser/base/closest_name.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <iostream>
#include <optional>

namespace fcgi {

namespace {

using Findings = std::vector<Finding>;
using parser::Result;

std::string name_of(db::Version version) {
    return "Strapi " + std::to_string(static_cast<int>(version));
}

// Returns the finding if the database is of another version of the CMS, or of none: then findings
// about single tables would not help.
std::optional<Finding> other_database(db::TableColumns const& tables,
                                      std::set<std::string> const& needed,
                                      std::string const& database,
                                      std::optional<db::Version> strapi) {
    auto const name = '`' + database + '`';
    auto const version = db::database_version(tables);
    if (version && strapi && *version != *strapi)
        return Finding{Finding::obstacle,
                       "the database " + name + " is of " + name_of(*version) +
                           ", but the setting `strapi` says " + name_of(*strapi),
                       "remove the setting `strapi`, or name another database"};
    if (tables.contains("core_store") && !tables.contains("strapi_core_store_settings"))
        return Finding{
            Finding::obstacle,
            "the database " + name + " is of Strapi 3 (it has the table core_store)",
            "upgrade the CMS, or let it serve the site: only Strapi 4 and 5 are supported"};
    constexpr auto fix = "let `database` end with the name of the CMS's own database; or start the "
                         "CMS once with this one; or, if there is no CMS, run create-tables";
    if (tables.empty())
        return Finding{Finding::obstacle, "the database " + name + " has no tables", fix};
    bool const has_any = std::ranges::any_of(
        needed, [&](std::string const& table) { return tables.contains(table); });
    if (has_any) return std::nullopt;
    return Finding{Finding::obstacle,
                   "the database " + name + " has " + std::to_string(tables.size()) +
                       " tables, such as `" + tables.begin()->first + "`, but none of the CMS's",
                   fix};
}

// The checks that use one connection, in their order.
class DatabaseCheck {
  public:
    DatabaseCheck(Options const& options, db::Schema& schema, db::Connection& connection,
                  db::Account const& account)
        : options_(options), schema_(schema), connection_(connection), account_(account) {}

    Result<Findings> run();

  private:
    std::string grant() const { return db::grant_of_reading(account_.database, account_.name); }
    Result<void> check_tables();
    void check_version(db::TableColumns const& tables);
    void check_release();
    Result<void> check_grants();
    Result<void> check_connections();
    Result<void> check_site();

    Options const& options_;
    db::Schema& schema_;
    db::Connection& connection_;
    db::Account const& account_;
    Findings findings_;
    bool is_readable_ = true; // the tables are the CMS's, and this account may read some
};

// Checks tables and columns, as far as the account may see them.
Result<void> DatabaseCheck::check_tables() {
    auto const tables = db::read_table_columns(connection_);
    if (!tables) return tables.error();
    auto const needed = db::tables_of(schema_);
    auto const hidden = db::unreadable(connection_, needed);
    if (!hidden) return hidden.error();
    if (hidden->size() == needed.size()) {
        findings_.push_back(
            {Finding::obstacle, "the account may read none of the CMS's tables", grant()});
        is_readable_ = false;
        return {};
    }
    if (auto other = other_database(*tables, needed, account_.database, options_.strapi)) {
        findings_.push_back(*std::move(other));
        is_readable_ = false;
        return {};
    }
    if (auto const why = db::too_old(*tables)) {
        findings_.push_back({Finding::obstacle, *why, "upgrade the CMS to 4.26 or 5.54"});
        is_readable_ = false;
        return {};
    }
    check_version(*tables);
    check_release();
    std::string const fix = "start the CMS once with these schema files, or run create-tables";
    for (std::string const& table : *hidden)
        findings_.push_back(
            {Finding::problem, "the account may not read table `" + table + "`", grant()});
    db::read_columns(schema_, *tables);
    for (auto const& [what, table] : schema_.missing)
        if (table.empty() || std::ranges::find(*hidden, table) == hidden->end())
            findings_.push_back({Finding::problem, what, fix});
    return {};
}

// The version of the database counts; files of another version have types that it lacks.
void DatabaseCheck::check_version(db::TableColumns const& tables) {
    auto const version = db::database_version(tables);
    auto const project = db::project_version(options_.schema);
    if (!version || !project || *version == *project) return;
    findings_.push_back({Finding::problem,
                         "package.json is of " + name_of(*project) + ", but the database `" +
                             account_.database + "` is of " + name_of(*version) +
                             " and is served as that",
                         "start the CMS once, so that it migrates an older database, or name a "
                         "database and a project that belong together"});
}

// Reports what is served otherwise than by the release that the site uses.
void DatabaseCheck::check_release() {
    db::Cms const& cms = schema_.cms;
    auto const release = schema_.release;
    if (!release || release->major != cms.newest.major) return;
    if (*release > cms.newest)
        findings_.push_back(
            {Finding::difference,
             "Strapi " + release->text() + " is newer than " + cms.newest.text() +
                 ", the newest release that this program knows, and is served as that",
             "compare responses with the command compare"});
    if (*release < cms.oldest_exact)
        findings_.push_back({Finding::difference,
                             "Strapi " + release->text() + " is older than " +
                                 cms.oldest_exact.text() +
                                 ", the oldest release whose differences are all known",
                             "upgrade the CMS, or compare responses with the command compare"});
    for (db::ReleaseDifference const& difference : cms.differences)
        if (*release < difference.until && !difference.apply)
            findings_.push_back({Finding::difference,
                                 "Strapi " + release->text() + " is served as " +
                                     difference.until.text() +
                                     ", but differs: " + std::string(difference.what),
                                 "upgrade the CMS, or compare responses with the command compare"});
}

Result<void> DatabaseCheck::check_grants() {
    auto const more = db::more_than_reading(connection_);
    if (!more) return more.error();
    if (!more->empty())
        findings_.push_back({Finding::note,
                             "the account may do more than read: " + boost::join(*more, ", "),
                             "an account with no more than " + grant() + " is enough"});
    return {};
}

// In a session, max_user_connections is the limit of its account.
Result<void> DatabaseCheck::check_connections() {
    auto limits =
        connection_.query(db::SqlPiece("SELECT @@max_user_connections, @@max_connections"));
    if (!limits) return limits.error();
    if (!limits->next()) return {};
    bool const is_limited = limits->id(0) > 0;
    auto const limit = is_limited ? limits->id(0) : limits->id(1);
    if (options_.connections <= limit) return {};
    findings_.push_back({Finding::note,
                         "connections: " + std::to_string(options_.connections) +
                             ", but the database grants " + std::to_string(limit) +
                             (is_limited ? " (max_user_connections)" : " (max_connections)"),
                         "set connections = " + std::to_string(limit)});
    return {};
}

// Checks roles, secrets and locales, which the CMS has in tables of its own.
Result<void> DatabaseCheck::check_site() {
    if (auto const site = db::read_site(connection_, schema_); !site)
        findings_.push_back({Finding::problem,
                             "roles and settings cannot be read: " + site.error().cause,
                             grant() + ", in a database that the CMS has set up"});
    auto const without = [&](std::uint64_t count, std::string const& what,
                             std::string const& option, std::string const& name) {
        if (count > 0)
            findings_.push_back({Finding::difference,
                                 "the database has " + std::to_string(count) + ' ' + what +
                                     ", and " + option + " is not set: they get status 401",
                                 "set " + option + " to " + name + " of the CMS (its .env)"});
    };
    if (auto const known = db::count_credentials(connection_)) {
        if (options_.secrets.jwt.empty())
            without(known->users, "users", "jwt-secret", "JWT_SECRET");
        if (options_.secrets.api_token_salt.empty())
            without(known->api_tokens, "API tokens", "api-token-salt", "API_TOKEN_SALT");
    }
    auto const& locale = options_.api.default_locale;
    if (locale.empty()) return {};
    auto const locales = db::read_locales(connection_);
    if (locales && std::ranges::find(*locales, locale) == locales->end())
        findings_.push_back({Finding::problem, "default-locale: the CMS has no locale " + locale,
                             "one of " + boost::join(*locales, ", ")});
    return {};
}

Result<Findings> DatabaseCheck::run() {
    if (auto done = check_tables(); !done) return done.error();
    if (is_readable_) {
        if (auto done = check_site(); !done) return done.error();
        if (auto done = check_grants(); !done) return done.error();
        if (auto done = check_connections(); !done) return done.error();
    }
    return std::move(findings_);
}

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

Result<std::vector<Finding>> check_database(Options const& options, db::Connection& connection,
                                            db::Schema& schema) {
    auto const account = db::read_account(connection);
    if (!account) return account.error();
    if (auto known = db::read_has_cms(connection, schema); !known) return known.error();
    return DatabaseCheck(options, schema, connection, *account).run();
}

std::vector<Finding> check_cache(Options const& options) {
    std::vector<Finding> findings;
    if (!options.cache) return findings;
    auto const [obstacles, hints] = db::survey_log(options.cache_url);
    for (auto const& obstacle : obstacles)
        findings.push_back(
            {Finding::problem, "the cache is off: " + obstacle.text(), obstacle.fix});
    for (auto const& hint : hints)
        findings.push_back({Finding::note, "cache: " + hint.text(), hint.fix});
    return findings;
}

std::vector<Finding> check_indexes(std::string const& file, db::Connection& connection) {
    auto indexes = db::read_index_file(file);
    if (!indexes)
        return {{Finding::problem, "indexes: " + indexes.error().message,
                 "name a file of `populate-fcgi indexes suggest`"}};
    auto const missing = db::missing_indexes(connection, *std::move(indexes));
    if (!missing)
        return {
            {Finding::not_compared, "the indexes of " + file + ": " + missing.error().cause, ""}};
    char const* const client = connection.is_mariadb() ? "mariadb" : "mysql";
    std::vector<Finding> findings;
    for (db::Index const& index : *missing)
        findings.push_back({Finding::problem,
                            "the index " + name_of(index) + " of " + index.table +
                                " does not exist, so requests that use it are slow",
                            std::string("in ") + client + ", run " +
                                std::string(db::short_lock_wait) + ' ' +
                                db::creation_of(index, !connection.is_mariadb()).str() + ';'});
    return findings;
}

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
