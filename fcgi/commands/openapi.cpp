#include "fcgi/openapi/openapi.hpp"
#include "db/cms/tables.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/handler/service.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"

#include <iostream>

namespace fcgi {

namespace {

parser::Result<std::shared_ptr<db::Schema>> read_with_database(Options const& options) {
    auto const connection = db::Connection::open(options.database_hosts, {});
    if (!connection) return connection.error();
    return read_schema(options, **connection);
}

int run_openapi(bool flat, Options const& options) {
    // Files alone say what a CMS would serve. A database may say that there is no CMS, or its
    // version.
    auto schema = options.database.empty() ? read_schema(options) : read_with_database(options);
    if (!schema && schema.error().kind != parser::ErrorKind::configuration) {
        std::cerr
            << "the database does not answer, so the document describes what a CMS would serve: "
            << schema.error().cause << '\n';
        schema = read_schema(options);
    }
    if (!schema) return fail(schema.error());
    auto const form = flat ? DocumentForm::flat : DocumentForm::deep;
    std::cout << openapi_document(**schema, options, form) << '\n';
    return exit_ok;
}

} // namespace

Run declare_openapi(CommandLine command) {
    auto const flat = std::make_shared<bool>(false);
    command.flag("--flat", *flat,
                 "describe only one level of relations, for tools that fail at cycles");
    return [flat](Options const& options) { return run_openapi(*flat, options); };
}

} // namespace fcgi
