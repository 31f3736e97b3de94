#include "fcgi/commands/commands.hpp"
#include "fcgi/content/content.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/setup/setup.hpp"

namespace fcgi {

namespace {

// In the order of --help. The first one runs if the command line names none.
constexpr Command commands[] = {
    {"serve", "serve FastCGI (the default)", declare_serve},
    {"check", "say whether schema, configuration and database agree", declare_check},
    // It reads no configuration file: that is what it writes.
    {"setup", "make account and settings of what the CMS's project says, as root", declare_setup,
     false},
    {"openapi", "print an OpenAPI 3.1 document of what is served", declare_openapi},
    // It needs no settings, so accounts that may not read them can run it.
    {"parse", "print the tree of a query string, or of each line of standard input", declare_parse,
     false},
    {"get", "answer one request: body to standard output, status to standard error", declare_get},
    {"explain", "show how a request is answered: tree, plan, statements", declare_explain},
    {"compare", "ask the CMS and us the same, and show where answers differ", declare_compare},
    {"create-tables", "create the tables that the schema needs, or what they lack",
     declare_create_tables},
    {"import", "load content into the tables, all of it or nothing", declare_import},
    {"export", "write the content of the tables as a folder that import takes", declare_export},
    {"token", "make, list and take back API tokens", declare_token},
};

} // namespace

} // namespace fcgi

int main(int argc, char** argv) {
    auto const parsed = fcgi::parse_options(argc, argv, fcgi::commands);
    fcgi::hide_passwords(argc, argv);
    return parsed.exit ? *parsed.exit : parsed.run(parsed.options);
}
