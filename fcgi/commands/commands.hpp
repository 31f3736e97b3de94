#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <memory>
#include <string>
#include <string_view>

// The commands of the program: each a file of its own and a row here.

namespace fcgi {

Run declare_serve(CommandLine command);
Run declare_check(CommandLine command);
Run declare_setup(CommandLine command);
Run declare_openapi(CommandLine command);
Run declare_parse(CommandLine command);
Run declare_get(CommandLine command);
Run declare_explain(CommandLine command);
Run declare_compare(CommandLine command);
// These write, as the owner that --database names.
Run declare_create_tables(CommandLine command);
Run declare_import(CommandLine command);
Run declare_export(CommandLine command);
Run declare_token(CommandLine command);

// In the order of --help; the first where none is named.
inline constexpr Command commands[] = {
    {"serve", "serve FastCGI (the default)", declare_serve},
    {"check", "say whether schema, configuration and database agree", declare_check},
    // The file is what it writes.
    {"setup", "make account and settings of what the CMS's project says, as root", declare_setup,
     false},
    {"openapi", "print an OpenAPI 3.1 document of what is served", declare_openapi},
    // A tree needs no settings: it is shown to accounts that may not see them.
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

// A sentence on standard error. Of what it quotes from a file or a database, bytes that would move
// a terminal's cursor become `?`.
void tell(std::string sentence);
// Says on standard error what is wrong; returns the exit code, of an error that of its kind.
int fail(parser::Error const& error);
int fail(std::string const& message, int code);

// A connection that may write and take its time.
parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options);

} // namespace fcgi
