#include "fcgi/commands/commands.hpp"

#include "db/tables/create_tables.hpp"

#include <iostream>

namespace fcgi {

namespace {

int print(db::Schema const& schema, db::Connection* connection) {
    auto const statements = db::creation_of(schema, connection);
    if (!statements) return fail(statements.error());
    for (auto const& statement : *statements)
        std::cout << statement.str() << ";\n";
    return exit_ok;
}

int run(db::Schema const& schema, db::Connection& connection) {
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

} // namespace

parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options) {
    if (options.database.empty())
        return parser::Error{parser::ErrorKind::configuration,
                             "database: expected mysql://user:password@host:port/name"};
    return db::Connection::open(options.database_url, db::owner_session);
}

int run_create_tables(Options const& options) {
    auto const schema = db::load_schema(options.schema, {options.private_attributes});
    if (!schema) return fail(schema.error());
    if (options.print && options.database.empty()) return print(**schema, nullptr);
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    return options.print ? print(**schema, connection->get()) : run(**schema, **connection);
}

} // namespace fcgi
