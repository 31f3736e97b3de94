#include "fcgi/check.hpp"

#include "db/access.hpp"
#include "db/accounts.hpp"
#include "db/mysql/tables.hpp"
#include "fcgi/commands.hpp"
#include "fcgi/service.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <iostream>

namespace fcgi {

namespace {

std::string grant(Options const& options) {
    auto const& [name, user] = std::pair(options.database_url.name, options.database_url.user);
    return "GRANT SELECT ON `" + name + "`.* TO '" + user + "'@'…'";
}

// Tables and columns, as far as the account may see them.
parser::Result<void> check_tables(db::Connection& connection, db::Schema& schema,
                                  Options const& options, std::vector<Finding>& findings) {
    auto const columns = db::read_table_columns(connection);
    if (!columns) return columns.error();
    auto const hidden = db::unreadable(connection, db::tables_of(schema));
    if (!hidden) return hidden.error();
    for (std::string const& table : *hidden)
        findings.push_back(
            {true, "the account may not read table `" + table + "`", grant(options)});
    for (std::string const& problem : db::read_columns(schema, *columns)) {
        bool const is_hidden = std::ranges::any_of(*hidden, [&](std::string const& table) {
            return problem.starts_with("table `" + table + "` does not exist");
        });
        if (!is_hidden)
            findings.push_back(
                {true, problem,
                 "start the CMS once with these schema files, or run create-tables"});
    }
    return {};
}

parser::Result<void> check_database(db::Schema& schema, Options const& options,
                                    std::vector<Finding>& findings) {
    auto const opened = db::Connection::open(options.database_url, {});
    if (!opened) return opened.error();
    db::Connection& connection = **opened;
    if (auto done = check_tables(connection, schema, options, findings); !done) return done;
    if (auto const site = db::read_site(connection, schema); !site)
        findings.push_back({true, "roles and settings cannot be read: " + site.error().cause,
                            grant(options) + ", in a database that the CMS has set up"});
    auto const more = db::more_than_reading(connection);
    if (!more) return more.error();
    if (!more->empty())
        findings.push_back({false, "the account may do more than read: " + boost::join(*more, ", "),
                            "one with no more than " + grant(options) + " is enough"});
    return {};
}

void check_types(db::Schema const& schema, std::vector<Finding>& findings) {
    for (auto const& [uid, type] : schema.types)
        if (!type->not_served.empty())
            findings.push_back({false, uid + " is not served: " + type->not_served,
                                "list it in serve-types to serve it all the same"});
}

int report(std::vector<Finding> const& findings) {
    for (auto const& [is_problem, what, cure] : findings)
        std::cout << (is_problem ? "problem: " : "note: ") << what << "; cure: " << cure << '\n';
    if (std::ranges::any_of(findings, &Finding::is_problem)) return exit_configuration;
    std::cout << "schema, configuration and database agree\n";
    return exit_ok;
}

} // namespace

int run_check(Options const& options) {
    auto findings = check_settings(options);
    auto const schema = read_schema(options);
    if (!schema) {
        findings.push_back(
            {true, schema.error().message,
             "schema is to be the folder of a Strapi 4 project, with src/api/ in it"});
        return report(findings);
    }
    std::ranges::move(check_project_settings(options), std::back_inserter(findings));
    check_types(**schema, findings);
    auto const done = check_database(**schema, options, findings);
    if (done) return report(findings);
    findings.push_back({true, "the database does not answer: " + done.error().cause,
                        "start it, and look at host, account and password in `database`"});
    report(findings);
    return exit_database;
}

} // namespace fcgi
