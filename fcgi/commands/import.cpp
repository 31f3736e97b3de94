#include "db/content/import.hpp"

#include "db/content/archived_files.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/content.hpp"
#include "fcgi/handler/read_schema.hpp"
#include "fcgi/options/command.hpp"

#include <iostream>

namespace fcgi {

namespace {

struct ImportArguments {
    std::vector<std::string> sources;
    bool is_update = false; // has ended
    std::string key_file;
    std::string uploads; // folder for an archive's files; empty: they are left out
    db::ImportOptions how;
};

// Imports what `read` reads, and says what became of it; `count_of` says how much it was.
template<class Read, class CountOf>
int import(Options const& options, Read const& read, CountOf const& count_of) {
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    ProgressBar bar;
    auto const say = [&bar](std::string const& sentence) {
        bar.clear();
        report_sentence(sentence);
    };
    db::ImportObserver const observer{
        [&bar](double share, std::size_t entries) { bar.show(share, entries); }, say, say};
    parser::Result<db::ImportCount> const count = read(**connection, **schema, observer);
    bar.clear();
    if (count && count->is_in_doubt)
        return fail("the connection was lost while the content was being stored, which may have "
                    "succeeded; run the same import again to be sure",
                    exit_database);
    if (!count) return nothing_imported(fail_archive(count.error()));
    if (count->errors > 0) return nothing_imported(exit_data, count->errors);
    std::cout << count_of(*count) << '\n';
    return exit_ok;
}

int import_folder(ImportArguments const& arguments, Options const& options) {
    auto const& how = arguments.how;
    return import(
        options,
        [&](auto& connection, auto& schema, auto& observer) {
            return db::import_folder(connection, schema, arguments.sources.front(), how, observer);
        },
        [&](db::ImportCount const& count) {
            std::string const tense = how.is_trial ? " to be " : " ";
            return std::to_string(count.added) + tense + "added, " + std::to_string(count.changed) +
                   tense + "changed, " + std::to_string(count.removed) + tense + "removed, " +
                   std::to_string(count.unchanged) + " there already";
        });
}

int copy_uploads(db::Archive& archive, std::string const& folder) {
    ProgressBar bar;
    auto const count = db::write_uploads(archive, folder, [&] { show_progress(bar, archive); });
    bar.clear();
    if (!count) {
        int const code = fail_archive(count.error());
        std::cerr << "the content was imported, but not all of its files\n";
        return code;
    }
    std::cout << count->written << " files written, " << count->equal << " there already\n";
    return exit_ok;
}

int import_archive(OpenArchive& opened, db::ImportOptions const& how, Options const& options) {
    return import(
        options,
        [&](auto& connection, auto& schema, auto& observer) {
            for (auto const& difference : db::schema_differences(opened.contents, schema))
                report_sentence(difference);
            return db::import_archive(connection, schema, *opened.archive, opened.contents, how,
                                      observer);
        },
        [&](db::ImportCount const& count) {
            return std::to_string(count.added) + " entries and " + std::to_string(count.links) +
                   " links " + (how.is_trial ? "to be imported" : "imported");
        });
}

int run_archive(ImportArguments const& arguments, Options options) {
    bool const has_uploads = !arguments.uploads.empty() && !arguments.how.is_trial;
    auto opened = open_archive(arguments.sources.front(), arguments.key_file);
    auto const writable =
        opened && has_uploads ? db::check_uploads(arguments.uploads) : parser::Result<void>();
    if (!opened || !writable)
        return nothing_imported(fail_archive(opened ? writable.error() : opened.error()));
    std::unique_ptr<ArchivedProject> project;
    if (options.schema.empty()) {
        auto created = ArchivedProject::create(opened->contents);
        if (!created) return fail_archive(created.error());
        project = *std::move(created);
        options.schema = project->folder();
    }
    int const code = import_archive(*opened, arguments.how, options);
    return code == exit_ok && has_uploads ? copy_uploads(*opened->archive, arguments.uploads)
                                          : code;
}

} // namespace

Run declare_import(CommandLine command) {
    auto const arguments = std::make_shared<ImportArguments>();
    auto& how = arguments->how;
    command.words("source", arguments->sources,
                  "folder with a file <uid>.ndjson or <uid>.csv for each type; or what `strapi "
                  "export` wrote, a file, a folder, or - for standard input");
    command.flag("--yes", how.may_change, "let a folder change and remove entries that are there");
    command.flag("--dry-run", how.is_trial, "report what would happen, and store nothing");
    command.flag("--update", arguments->is_update, "has ended; use --yes");
    command.option("--key-file", arguments->key_file,
                   "file with the key of an encrypted archive; default: POPULATE_ARCHIVE_KEY");
    command.option("--replace", how.replaced,
                   "name of the database, to confirm that the content of its CMS may be replaced");
    command.option("--uploads", arguments->uploads,
                   "folder to write the uploaded files of an archive to; default: none");
    return [arguments](Options const& options) {
        auto const& from = arguments->sources.front();
        if (arguments->is_update)
            report_sentence(
                "--update has ended: an import changes the entries that are there, and removes "
                "those that the folder does not have; add --yes to allow that");
        if (db::is_archive(from)) return run_archive(*arguments, options);
        if (!arguments->key_file.empty() || !arguments->uploads.empty())
            return fail("--key-file and --uploads work only with an archive, but " + from +
                            " is not one",
                        exit_configuration);
        return import_folder(*arguments, options);
    };
}

} // namespace fcgi
