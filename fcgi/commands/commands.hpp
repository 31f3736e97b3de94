#pragma once

#include "fcgi/options/command.hpp"

// The commands, whose table is in fcgi/main.cpp.

namespace fcgi {

Run declare_serve(CommandLine command);
Run declare_check(CommandLine command);
Run declare_setup(CommandLine command);
Run declare_openapi(CommandLine command);
Run declare_parse(CommandLine command);
Run declare_get(CommandLine command);
Run declare_explain(CommandLine command);
Run declare_compare(CommandLine command);
Run declare_indexes(CommandLine command);

// The account of these is the owner of the tables. All of them write except `export`, which reads
// what only an owner may.
Run declare_create_tables(CommandLine command);
Run declare_import(CommandLine command);
Run declare_export(CommandLine command);
Run declare_token(CommandLine command);

} // namespace fcgi
