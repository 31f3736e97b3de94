#include "db/content/create_tables.hpp"
#include "db/cms/tables.hpp"
#include "db/content/archived_files.hpp"
#include "db/read/suggestions.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/content.hpp"
#include "fcgi/handler/read_schema.hpp"
#include "fcgi/options/command.hpp"

#include <filesystem>
#include <iostream>
#include <system_error>

namespace fcgi {

namespace {

struct CreateTablesArguments {
    bool print = false;
    bool indexes = false;
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

parser::Result<void> run(db::Connection& connection, std::vector<db::SqlText> const& statements) {
    for (auto const& statement : statements) {
        auto done = connection.command(statement);
        if (done) continue;
        report_sentence("this statement failed; the statements before it took effect:\n" +
                        statement.str() + ";");
        return done;
    }
    return {};
}

// The lists of a CMS may begin with other entries then, and Strapi 4 drops such indexes again. Has
// a connection of its own, which breaks if there is no CMS.
parser::Result<void> expect_no_cms(Options const& options) {
    auto const connection = open_as_owner(options);
    if (!connection) return connection.error();
    auto const has_cms = db::find_cms(**connection);
    if (!has_cms) return has_cms.error();
    if (!*has_cms) return {};
    return parser::Error{parser::ErrorKind::configuration,
                         "--indexes: expected a database without a CMS; for this one, run "
                         "populate-fcgi indexes suggest"};
}

// The tables have to exist, since their own indexes may serve as well.
parser::Result<std::vector<db::SqlText>> creation_of_indexes(db::Schema const& schema,
                                                             db::Connection& connection) {
    auto const existing = db::read_existing_indexes(connection);
    if (!existing) return existing.error();
    std::vector<db::SqlText> statements;
    for (db::Index const& index : db::usual_indexes(schema, *existing))
        statements.push_back(db::creation_of(index));
    return statements;
}

int create(db::Schema const& schema, db::Connection& connection,
           CreateTablesArguments const& arguments) {
    auto const tables = db::creation_of(schema, &connection, arguments.collation);
    if (!tables) return fail(tables.error());
    if (auto done = run(connection, *tables); !done) return fail(done.error());
    auto const indexes =
        arguments.indexes ? creation_of_indexes(schema, connection) : std::vector<db::SqlText>();
    if (!indexes) return fail(indexes.error());
    if (auto done = run(connection, *indexes); !done) return fail(done.error());
    for (db::SqlText const& index : *indexes)
        std::cout << index.str() << ";\n";
    std::cout << (tables->empty() && indexes->empty() ? "nothing is missing\n"
                                                      : "created what was missing\n");
    return exit_ok;
}

int run_create_tables(CreateTablesArguments const& arguments, Options const& options) {
    bool const print = arguments.print;
    bool const is_asked = !print || !options.database.empty();
    auto const connection = is_asked ? open_as_owner(options) : nullptr;
    if (!connection) return fail(connection.error());
    auto const version = is_asked ? read_version(options, **connection) : std::nullopt;
    if (!version) return fail(version.error());
    auto const schema = read_schema(options, *version);
    if (!schema) return fail(schema.error());
    if (arguments.indexes)
        if (auto none = expect_no_cms(options); !none) return fail(none.error());
    return print ? show(**schema, connection->get(), arguments.collation)
                 : create(**schema, **connection, arguments);
}

// Creates the tables of the archive's types. If `project` names a folder, their files stay there.
int run_with_archive(CreateTablesArguments const& arguments, Options options) {
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
    auto const arguments = std::make_shared<CreateTablesArguments>();
    command.flag("--print", arguments->print,
                 "print the SQL instead of running it; without --database, that of all tables");
    command.flag("--indexes", arguments->indexes,
                 "also create the indexes that most sites use, and print them");
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
        if (arguments->print && arguments->indexes)
            return fail(
                "--indexes and --print cannot be combined: which indexes are useful depends "
                "on the tables",
                exit_configuration);
        if (!arguments->archive.empty()) return run_with_archive(*arguments, options);
        if (arguments->project.empty() && arguments->key_file.empty())
            return run_create_tables(*arguments, options);
        return fail("--project and --key-file work only with --archive", exit_configuration);
    };
}

} // namespace fcgi
