#include "fcgi/commands/commands.hpp"
#include "fcgi/notify/notify.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/options/secrets.hpp"

namespace fcgi {

namespace {

// In the order of --help. The first one runs if the command line names none.
constexpr Command commands[] = {
    {"serve", "serve FastCGI (the default)", declare_serve},
    {"notify", "tell caches in front, and sites made of the content, what changes", declare_notify},
    {"check", "report whether schema, configuration and database agree", declare_check},
    // It reads no configuration file: that is what it writes.
    {"setup", "create the database account and the settings from the CMS's project, as root",
     declare_setup, false},
    {"openapi", "print an OpenAPI 3.1 document of what is served", declare_openapi},
    // It needs no settings, so accounts that may not read them can run it.
    {"parse", "print the tree of a query string, or of each line of standard input", declare_parse,
     false},
    {"get", "answer one request: body to standard output, status to standard error", declare_get},
    {"explain", "show how a request is answered: tree, query, plan, SQL statements",
     declare_explain},
    {"compare",
     "send requests to the CMS and answer them here, and show where the responses differ",
     declare_compare},
    {"create-tables", "create the tables and columns that the schema needs and the database lacks",
     declare_create_tables},
    {"import", "load content into the tables, all of it or nothing", declare_import},
    {"export", "write the content of the tables as a folder that import takes", declare_export},
    {"token", "create, list and revoke API tokens", declare_token},
    {"indexes", "suggest indexes for large sites", declare_indexes},
};

} // namespace

} // namespace fcgi

int main(int argc, char** argv) {
    auto const parsed = fcgi::parse_options(argc, argv, fcgi::commands);
    fcgi::hide_passwords(argc, argv);
    return parsed.exit ? *parsed.exit : parsed.run(parsed.options);
}
