#include "db/export/export.hpp"

#include "fcgi/answer/service.hpp"
#include "fcgi/commands/commands.hpp"

#include <iostream>

namespace fcgi {

namespace {

int run_export(std::string const& folder, db::ExportOptions const& how, Options const& options) {
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    std::size_t left = 0;
    auto const entries =
        db::export_folder(**connection, **schema, folder, how, [&left](std::string const& what) {
            tell(what);
            ++left;
        });
    if (!entries) return fail(entries.error());
    if (left > 0) std::cerr << left << " values left out, which an import would refuse\n";
    std::cout << *entries << " entries\n";
    return exit_ok;
}

} // namespace

Run declare_export(CommandLine command) {
    auto const folders = std::make_shared<std::vector<std::string>>();
    auto const how = std::make_shared<db::ExportOptions>();
    command.words("folder", *folders, "folder to make, or an empty one");
    command.flag("--with-passwords", how->with_credentials,
                 "write hashes of passwords and users' reset tokens, too");
    return [folders, how](Options const& options) {
        return run_export(folders->front(), *how, options);
    };
}

} // namespace fcgi
