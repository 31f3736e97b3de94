#include "fcgi/check/check.hpp"

#include "db/mysql/tables.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/commands/commands.hpp"

#include <algorithm>
#include <iostream>

namespace fcgi {

namespace {

// Once the database was asked, which decides on types without routes.
std::vector<Finding> check_types(db::Schema const& schema) {
    std::vector<Finding> findings;
    for (auto const& [what, why] : schema.left_out)
        findings.push_back(
            {false, what + " is left out: " + why,
             "none is needed, unless a client asks for it: then the CMS has to answer"});
    for (auto const& [uid, type] : schema.types)
        if (!type->not_served.empty())
            findings.push_back({false, uid + " is not served: " + type->not_served,
                                "list it in serve-types to serve it all the same"});
        else if (uid.starts_with("api::") && !type->has_routes)
            findings.push_back({false, uid + " is not served: no file in its routes/ names it",
                                "with a CMS its routes decide: copy them along with the schema"});
    return findings;
}

std::string cure_of(parser::Error const& unloaded) {
    if (unloaded.subject && unloaded.subject->place == "schema")
        return "schema is to be the folder of a Strapi project, with src/api/ in it";
    if (unloaded.kind == parser::ErrorKind::not_granted)
        return "let the account that serves read it, and the folders above it";
    return "repair it: Strapi itself would not start with it";
}

int report(std::vector<Finding> const& findings) {
    for (auto const& [is_problem, what, cure] : findings)
        std::cout << (is_problem ? "problem: " : "note: ") << what
                  << (cure.empty() ? "" : "; cure: ") << cure << '\n';
    if (std::ranges::any_of(findings, &Finding::is_problem)) return exit_configuration;
    std::cout << "schema, configuration and database agree\n";
    return exit_ok;
}

using Connected = parser::Result<std::unique_ptr<db::Connection>>;

Connected connect(Options const& options) {
    if (options.database.empty()) return parser::unavailable("no database is set");
    return db::Connection::open(options.database_hosts, {});
}

// As far as the database answers, in its version.
parser::Result<std::shared_ptr<db::Schema>> read_schema_of(Options const& options,
                                                           Connected const& connection) {
    auto const version = connection ? db::read_version(**connection) : std::nullopt;
    return read_schema(options, version ? *version : std::nullopt);
}

int run(std::string const& bearer, Options const& options) {
    auto findings = check_settings(options);
    auto const add = [&](std::vector<Finding> more) {
        std::ranges::move(more, std::back_inserter(findings));
    };
    add(check_memory(options));
    auto const connection = connect(options);
    auto const schema = read_schema_of(options, connection);
    if (!schema) {
        add({{true, schema.error().message, cure_of(schema.error())}});
        return report(findings);
    }
    add(check_project_settings(options));
    add(check_project_code(options, **schema));
    add(check_uids(options, **schema));
    if (options.database.empty()) {
        add(check_types(**schema));
        add({{true, "no database is set",
              "set `database` to mysql://user:password@host/name, of an account that may read"}});
        return report(findings);
    }
    auto more = connection ? check_database(options, **connection, **schema) : connection.error();
    add(check_types(**schema));
    if (more) {
        add(*std::move(more));
        add(check_hosts(options));
        add(check_cache(options));
        if (!bearer.empty()) add(check_bearer(bearer, options, **schema));
        return report(findings);
    }
    add({{true, "the database does not answer: " + more.error().cause, {}}});
    report(findings);
    return exit_database;
}

} // namespace

Run declare_check(CommandLine command) {
    auto const bearer = std::make_shared<std::string>();
    command.option("--bearer", *bearer, "JWT or API token: whose is it, what may it read?");
    return [bearer](Options const& options) { return run(*bearer, options); };
}

} // namespace fcgi
