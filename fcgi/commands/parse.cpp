#include "db/cms/tables.hpp"
#include "db/schema/project_folder.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/options/options.hpp"
#include "parser/query_tree.hpp"

#include <iostream>

namespace fcgi {

namespace {

parser::Result<std::optional<db::Version>> ask_version(Options const& options) {
    auto const connection = db::Connection::open(options.database_hosts, {});
    if (!connection) return connection.error();
    return db::read_version(**connection);
}

// Returns the version as for a site that is served: of the option, the database, or the files.
db::Version version_of(Options const& options) {
    if (options.strapi) return *options.strapi;
    std::optional<db::Version> version;
    if (!options.database.empty()) {
        auto const asked = ask_version(options);
        if (asked)
            version = *asked;
        else
            std::cerr << "the database does not answer, so the version is that of package.json: "
                      << asked.error().cause << '\n';
    }
    if (!version) version = db::project_version(options.schema);
    return version.value_or(db::Version::strapi4);
}

int run_parse(std::string const& query, Options const& options) {
    auto syntax = options.tree;
    syntax.balances_brackets = db::cms_of(version_of(options)).reading.balances_brackets;
    auto const print = [&syntax](std::string_view line) {
        std::cout << parser::dump(parser::parse_query_string(line, syntax)) << '\n';
    };
    if (query != "-") {
        print(query);
        return exit_ok;
    }
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);)
        print(line);
    return exit_ok;
}

} // namespace

Run declare_parse(CommandLine command) {
    auto const queries = std::make_shared<std::vector<std::string>>();
    command.words("query", *queries, "a query string; - for the lines of standard input");
    return [queries](Options const& options) { return run_parse(queries->front(), options); };
}

} // namespace fcgi
