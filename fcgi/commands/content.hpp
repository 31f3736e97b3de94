#pragma once

#include "db/mysql/connection.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <cstddef>
#include <memory>

// The commands of the owner of the tables, as whom --database logs in; each has a file of its own.
// All of them write except `export`, which reads what only an owner may.

namespace fcgi {

Run declare_create_tables(CommandLine command);
Run declare_import(CommandLine command);
Run declare_export(CommandLine command);
Run declare_token(CommandLine command);

// Opens a connection that may write and take its time.
parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options);

// Says that nothing was imported, and how many of the mistakes were not reported; returns `code`.
int nothing_imported(int code, std::size_t mistakes = 0);

} // namespace fcgi
