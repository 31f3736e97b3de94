#include "db/tables/create_tables.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/commands/commands.hpp"

#include <iostream>

namespace fcgi {

namespace {

int show(db::Schema const& schema, db::Connection* connection) {
    auto const statements = db::creation_of(schema, connection);
    if (!statements) return fail(statements.error());
    for (auto const& statement : *statements)
        std::cout << statement.str() << ";\n";
    return exit_ok;
}

int create(db::Schema const& schema, db::Connection& connection) {
    auto const statements = db::creation_of(schema, &connection);
    if (!statements) return fail(statements.error());
    for (auto const& statement : *statements) {
        auto done = connection.command(statement);
        if (done) continue;
        std::cerr << "this statement failed; what came before it is done:\n"
                  << statement.str() << ";\n";
        return fail(done.error());
    }
    std::cout << (statements->empty() ? "nothing is missing\n" : "created what was missing\n");
    return exit_ok;
}

int run(bool print, Options const& options) {
    auto const schema = read_schema(options);
    if (!schema) return fail(schema.error());
    if (print && options.database.empty()) return show(**schema, nullptr);
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    return print ? show(**schema, connection->get()) : create(**schema, **connection);
}

} // namespace

Run declare_create_tables(CommandLine command) {
    auto const print = std::make_shared<bool>(false);
    command.flag("--print", *print, "show the SQL instead; without --database, all of it");
    return [print](Options const& options) { return run(*print, options); };
}

} // namespace fcgi
