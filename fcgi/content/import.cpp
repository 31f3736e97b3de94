#include "db/import/import.hpp"
#include "fcgi/answer/read_schema.hpp"
#include "fcgi/content/archive.hpp"
#include "fcgi/content/content.hpp"
#include "fcgi/content/progress_bar.hpp"
#include "fcgi/options/failure.hpp"

#include <iostream>

namespace fcgi {

namespace {

parser::Result<db::ImportCount> import(db::Connection& connection, db::Schema& schema,
                                       std::string const& folder, db::ImportOptions const& how) {
    ProgressBar bar;
    db::ImportObserver observer;
    observer.progress = [&bar](double share, std::size_t entries) { bar.show(share, entries); };
    observer.mistake = [&bar](std::string const& mistake) {
        bar.clear();
        tell(mistake);
    };
    return db::import_folder(connection, schema, folder, how, observer);
}

int run_import(std::string const& folder, db::ImportOptions const& how, Options const& options) {
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    auto const count = import(**connection, **schema, folder, how);
    if (count && count->is_in_doubt)
        return fail("the connection was lost while the content was being stored, which may have "
                    "succeeded; run the same import again to see what is there",
                    exit_database);
    if (!count) return nothing_imported(fail(count.error()));
    if (count->mistakes > 0) return nothing_imported(exit_data, count->mistakes);
    char const* const tense = how.is_trial ? " to be " : " ";
    std::cout << count->added << tense << "added, ";
    if (how.is_update)
        std::cout << count->changed << tense << "changed, " << count->removed << tense
                  << "removed, ";
    std::cout << count->skipped << " there already\n";
    return exit_ok;
}

} // namespace

Run declare_import(CommandLine command) {
    struct Arguments {
        std::vector<std::string> sources;
        db::ImportOptions folder;
        ArchiveArguments archive;
    };
    auto const arguments = std::make_shared<Arguments>();
    auto& [sources, folder, archive] = *arguments;
    command.words("source", sources,
                  "folder with a file <uid>.ndjson or <uid>.csv for each type; or what `strapi "
                  "export` wrote, a file, a folder, or - for standard input");
    command.flag("--update", folder.is_update,
                 "change and remove existing entries so that they match the folder");
    command.flag("--dry-run", folder.is_trial, "report what would happen, and store nothing");
    command.option("--key-file", archive.key_file,
                   "file with the key of an encrypted archive; default: POPULATE_ARCHIVE_KEY");
    command.option(
        "--replace", archive.how.replaced,
        "name of the database, to confirm that an archive may replace the content of its CMS");
    command.option("--uploads", archive.uploads,
                   "folder to write the uploaded files of an archive to; default: none");
    return [arguments](Options const& options) {
        auto& [from, how, of_archive] = *arguments;
        bool const is_archive = db::is_archive(from.front());
        bool const is_for_archive = !of_archive.key_file.empty() || !of_archive.uploads.empty() ||
                                    !of_archive.how.replaced.empty();
        if (is_archive && how.is_update)
            return fail(
                "--update works only with a folder of entry files; an archive replaces all content",
                exit_configuration);
        if (!is_archive && is_for_archive)
            return fail("--key-file, --replace and --uploads work only with an archive, but " +
                            from.front() + " is not one",
                        exit_configuration);
        if (!is_archive) return run_import(from.front(), how, options);
        of_archive.how.is_trial = how.is_trial;
        return import_archive(from.front(), of_archive, options);
    };
}

} // namespace fcgi
