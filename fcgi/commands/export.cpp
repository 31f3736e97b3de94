#include "db/content/export.hpp"

#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/content.hpp"
#include "fcgi/handler/service.hpp"
#include "fcgi/options/command.hpp"

#include <iostream>

namespace fcgi {

namespace {

int run_export(std::string const& to, bool as_sql, bool with_secrets, Options const& options) {
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    std::size_t left = 0;
    auto const count = as_sql ? db::export_sql(**connection, **schema, to, with_secrets)
                              : db::export_folder(**connection, **schema, to, with_secrets,
                                                  [&left](std::string const& what) {
                                                      report_sentence(what);
                                                      ++left;
                                                  });
    if (!count) return fail(count.error());
    if (left > 0)
        std::cerr << left << " values were left out, because an import would refuse them\n";
    std::cout << *count << (as_sql ? " rows\n" : " entries\n");
    return exit_ok;
}

} // namespace

Run declare_export(CommandLine command) {
    struct ExportArguments {
        std::vector<std::string> to;
        bool as_sql = false;
        bool with_secrets = false;
    };
    auto const arguments = std::make_shared<ExportArguments>();
    command.words("to", arguments->to, "folder to write to, new or empty; with --sql a new file");
    command.flag("--sql", arguments->as_sql,
                 "write the tables as SQL for phpMyAdmin, compressed if the name ends in .gz");
    command.flag("--with-secrets", arguments->with_secrets,
                 "also write hashes of passwords and tokens");
    return [arguments](Options const& options) {
        return run_export(arguments->to.front(), arguments->as_sql, arguments->with_secrets,
                          options);
    };
}

} // namespace fcgi
