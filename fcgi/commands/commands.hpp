#pragma once

#include "fcgi/http/http.hpp"
#include "fcgi/options/options.hpp"

// The commands of the program. Each returns its exit code.

namespace fcgi {

int run_serve(Options const& options);
int run_check(Options const& options);
int run_parse(Options const& options);
int run_get(Options const& options);
int run_explain(Options const& options);
int run_openapi(Options const& options);
int run_compare(Options const& options);

// These write, as the owner that --database names.
int run_create_tables(Options const& options);
int run_import(Options const& options);
int run_token(Options const& options);

// Says on standard error what is wrong; returns the exit code, of an error that of its kind.
int fail(parser::Error const& error);
int fail(std::string const& message, int code);

// Answers a GET of path and query from this process; `bearer`, the caller's token, may be empty.
class Service;
struct Workings;
enum class Wanted;
Response answer_get(Service& service, std::string_view path, std::string const& bearer,
                    Workings& workings, Wanted wanted);

// A connection that may write and take its time.
parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options);

} // namespace fcgi
