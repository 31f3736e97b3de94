#include "fcgi/content/archive.hpp"

#include "db/archive/project.hpp"
#include "db/archive/uploads.hpp"
#include "fcgi/answer/read_schema.hpp"
#include "fcgi/content/content.hpp"
#include "fcgi/content/progress_bar.hpp"
#include "fcgi/options/failure.hpp"
#include "fcgi/options/option_sources.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>
#include <system_error>

#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

parser::Result<std::string> read_key(std::string const& file) {
    if (file.empty()) {
        char const* const key = std::getenv(archive_key_variable);
        return std::string(key ? key : "");
    }
    errno = 0;
    std::ifstream const stream(file, std::ios::binary);
    std::ostringstream copy;
    copy << stream.rdbuf();
    auto key = std::move(copy).str();
    while (key.ends_with('\n') || key.ends_with('\r'))
        key.pop_back();
    if (!key.empty()) return key;
    return parser::Error{parser::ErrorKind::configuration,
                         "--key-file: " + file + ": " +
                             (errno != 0 ? std::strerror(errno) : "expected a passphrase")};
}

int replace(OpenArchive& opened, db::ReplaceOptions const& how, Options const& options) {
    auto const connection = open_as_owner(options);
    if (!connection) return fail(connection.error());
    auto const schema = read_schema(options, **connection);
    if (!schema) return fail(schema.error());
    for (auto const& difference : db::schema_differences(opened.contents, **schema))
        tell(difference);
    ProgressBar bar;
    auto const say = [&bar](std::string const& sentence) {
        bar.clear();
        tell(sentence);
    };
    db::ReplaceObserver observer;
    observer.progress = [&bar](double share, std::size_t entries) { bar.show(share, entries); };
    observer.tell = say;
    observer.mistake = say;
    auto const count = db::replace_content(**connection, **schema, *opened.archive, opened.contents,
                                           how, observer);
    bar.clear();
    if (count && count->is_in_doubt)
        return fail("the connection was lost while the content was being stored, which may have "
                    "succeeded; run the same import again to be sure",
                    exit_database);
    if (!count) return nothing_imported(fail_archive(count.error()));
    if (count->mistakes > 0) return nothing_imported(exit_data, count->mistakes);
    std::cout << count->entries << " entries and " << count->links << " links "
              << (how.is_trial ? "to be imported" : "imported") << '\n';
    return exit_ok;
}

void show(ProgressBar& bar, db::Archive const& archive) {
    if (archive.size() > 0)
        bar.show(static_cast<double>(archive.bytes_read()) / static_cast<double>(archive.size()),
                 0);
}

int copy_uploads(db::Archive& archive, std::string const& folder) {
    ProgressBar bar;
    auto const count = db::write_uploads(archive, folder, [&] { show(bar, archive); });
    bar.clear();
    if (!count) {
        int const code = fail_archive(count.error());
        std::cerr << "the content was imported, but not all of its files\n";
        return code;
    }
    std::cout << count->written << " files written, " << count->equal << " there already\n";
    return exit_ok;
}

} // namespace

parser::Result<OpenArchive> open_archive(fs::path const& path, std::string const& key_file) {
    auto key = read_key(key_file);
    if (!key) return key.error();
    auto archive = db::Archive::open(path, *std::move(key));
    if (!archive) return archive.error();
    auto& read = **archive;
    ProgressBar bar;
    auto contents = db::read_contents(read, [&] { show(bar, read); });
    bar.clear();
    if (!contents) return contents.error();
    return OpenArchive{*std::move(archive), *std::move(contents)};
}

parser::Result<std::unique_ptr<ArchivedProject>>
ArchivedProject::create(db::ArchiveContents const& contents) {
    std::error_code error;
    std::string name = fs::temp_directory_path(error) / "populate-fcgi.XXXXXX";
    if (error || !mkdtemp(name.data()))
        return parser::Error{parser::ErrorKind::configuration,
                             name + ": cannot create this folder for the archive's schemas"};
    std::unique_ptr<ArchivedProject> project(new ArchivedProject(name));
    if (auto written = db::write_project(contents, name); !written) return written.error();
    return project;
}

ArchivedProject::~ArchivedProject() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

int fail_archive(parser::Error const& error) {
    return error.kind == parser::ErrorKind::invalid ? fail(error.message, exit_data) : fail(error);
}

int import_archive(fs::path const& path, ArchiveArguments const& arguments, Options options) {
    bool const has_uploads = !arguments.uploads.empty() && !arguments.how.is_trial;
    auto opened = open_archive(path, arguments.key_file);
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
    int const code = replace(*opened, arguments.how, options);
    return code == exit_ok && has_uploads ? copy_uploads(*opened->archive, arguments.uploads)
                                          : code;
}

} // namespace fcgi
