#include "db/tables/create_tables.hpp"
#include "db/mysql/tables.hpp"
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
    bool const is_asked = !print || !options.database.empty();
    auto const connection = is_asked ? open_as_owner(options) : nullptr;
    if (!connection) return fail(connection.error());
    auto const version = is_asked ? read_version(options, **connection) : std::nullopt;
    if (!version) return fail(version.error());
    auto const schema = read_schema(options, *version);
    if (!schema) return fail(schema.error());
    return print ? show(**schema, connection->get()) : create(**schema, **connection);
}

} // namespace

Run declare_create_tables(CommandLine command) {
    auto const print = std::make_shared<bool>(false);
    command.flag("--print", *print, "show the SQL instead; without --database, all of it");
    return [print](Options const& options) { return run(*print, options); };
}

} // namespace fcgi
