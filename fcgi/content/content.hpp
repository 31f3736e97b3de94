#pragma once

#include "db/mysql/connection.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <memory>

// The commands of an owner of tables, as whom --database logs in: each a file of its own. They
// write, but for `export`, which reads what only an owner may.

namespace fcgi {

Run declare_create_tables(CommandLine command);
Run declare_import(CommandLine command);
Run declare_export(CommandLine command);
Run declare_token(CommandLine command);

// A connection that may write and take its time.
parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options);

} // namespace fcgi
