#include "fcgi/openapi/openapi.hpp"
#include "db/mysql/tables.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/commands/commands.hpp"

#include <iostream>

namespace fcgi {

namespace {

parser::Result<void> ask_database(Options const& options, db::Schema& schema) {
    auto const connection = db::Connection::open(options.database_url, {});
    if (!connection) return connection.error();
    return db::read_cms(**connection, schema);
}

int run(bool flat, Options const& options) {
    auto const schema = read_schema(options);
    if (!schema) return fail(schema.error());
    // Files alone say what a CMS would serve; a database may say that there is none.
    if (!options.database.empty())
        if (auto const asked = ask_database(options, **schema); !asked)
            std::cerr << "described as with a CMS, the database does not answer: "
                      << asked.error().cause << '\n';
    auto const form = flat ? DocumentForm::flat : DocumentForm::deep;
    std::cout << openapi_document(**schema, options, form) << '\n';
    return exit_ok;
}

} // namespace

Run declare_openapi(CommandLine command) {
    auto const flat = std::make_shared<bool>(false);
    command.flag("--flat", *flat, "one level of relations, for tools that end at cycles");
    return [flat](Options const& options) { return run(*flat, options); };
}

} // namespace fcgi
