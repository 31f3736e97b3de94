#include "db/tables/create_tables.hpp"
#include "db/archive/project.hpp"
#include "fcgi/answer/read_schema.hpp"
#include "fcgi/content/archive.hpp"
#include "fcgi/content/content.hpp"
#include "fcgi/options/failure.hpp"

#include <filesystem>
#include <iostream>
#include <system_error>

namespace fcgi {

namespace {

struct Arguments {
    bool print = false;
    std::string collation;
    std::string archive;
    std::string key_file;
    std::string project;
};

int show(db::Schema const& schema, db::Connection* connection, std::string const& collation) {
    auto const statements = db::creation_of(schema, connection, collation);
    if (!statements) return fail(statements.error());
    for (auto const& statement : *statements)
        std::cout << statement.str() << ";\n";
    return exit_ok;
}

int create(db::Schema const& schema, db::Connection& connection, std::string const& collation) {
    auto const statements = db::creation_of(schema, &connection, collation);
    if (!statements) return fail(statements.error());
    for (auto const& statement : *statements) {
        auto done = connection.command(statement);
        if (done) continue;
        tell("this statement failed; the statements before it took effect:\n" + statement.str() +
             ";");
        return fail(done.error());
    }
    std::cout << (statements->empty() ? "nothing is missing\n" : "created what was missing\n");
    return exit_ok;
}

int run_create_tables(Arguments const& arguments, Options const& options) {
    bool const print = arguments.print;
    auto const& collation = arguments.collation;
    bool const is_asked = !print || !options.database.empty();
    auto const connection = is_asked ? open_as_owner(options) : nullptr;
    if (!connection) return fail(connection.error());
    auto const version = is_asked ? read_version(options, **connection) : std::nullopt;
    if (!version) return fail(version.error());
    auto const schema = read_schema(options, *version);
    if (!schema) return fail(schema.error());
    return print ? show(**schema, connection->get(), collation)
                 : create(**schema, **connection, collation);
}

// Creates the tables of the archive's types. If `project` names a folder, their files stay there.
int run_with_archive(Arguments const& arguments, Options options) {
    auto const& folder = arguments.project;
    auto const opened = open_archive(arguments.archive, arguments.key_file);
    if (!opened) return fail_archive(opened.error());
    auto const& contents = opened->contents;
    if (!options.strapi) options.strapi = contents.version;
    if (folder.empty()) {
        auto const project = ArchivedProject::create(contents);
        if (!project) return fail_archive(project.error());
        options.schema = (*project)->folder();
        return run_create_tables(arguments, options);
    }
    std::error_code error;
    if (std::filesystem::exists(folder, error) && !std::filesystem::is_empty(folder, error))
        return fail("--project: " + folder + ": expected a new folder, or an empty one",
                    exit_configuration);
    if (auto const written = db::write_project(contents, folder); !written)
        return fail_archive(written.error());
    options.schema = folder;
    return run_create_tables(arguments, options);
}

} // namespace

Run declare_create_tables(CommandLine command) {
    auto const arguments = std::make_shared<Arguments>();
    command.flag("--print", arguments->print,
                 "print the SQL instead of running it; without --database, that of all tables");
    command.option(
        "--collation", arguments->collation,
        "collation of the new tables, such as utf8mb4_bin; default: that of the database");
    command.option("--archive", arguments->archive,
                   "archive that `strapi export` wrote; creates the tables of its types");
    command.option("--project", arguments->project,
                   "new folder to write the schema files of the archive's types to, for --schema");
    command.option("--key-file", arguments->key_file,
                   "file with the key of an encrypted archive; default: POPULATE_ARCHIVE_KEY");
    return [arguments](Options const& options) {
        auto const& collation = arguments->collation;
        if (!collation.empty() && !collation.starts_with("utf8mb4_"))
            return fail("--collation: expected a collation of utf8mb4, such as utf8mb4_bin",
                        exit_configuration);
        if (!arguments->archive.empty()) return run_with_archive(*arguments, options);
        if (arguments->project.empty() && arguments->key_file.empty())
            return run_create_tables(*arguments, options);
        return fail("--project and --key-file work only with --archive", exit_configuration);
    };
}

} // namespace fcgi
