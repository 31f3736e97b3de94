#include "fcgi/commands/archive.hpp"

#include "db/content/project.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/option_sources.hpp"
#include "fcgi/options/options.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
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

} // namespace

parser::Result<OpenArchive> open_archive(fs::path const& path, std::string const& key_file) {
    auto key = read_key(key_file);
    if (!key) return key.error();
    auto archive = db::Archive::open(path, *std::move(key));
    if (!archive) return archive.error();
    auto& read = **archive;
    ProgressBar bar;
    auto contents = db::read_contents(read, [&] { show_progress(bar, read); });
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

void show_progress(ProgressBar& bar, db::Archive const& archive) {
    if (archive.size() > 0)
        bar.show(static_cast<double>(archive.bytes_read()) / static_cast<double>(archive.size()),
                 0);
}

int fail_archive(parser::Error const& error) {
    return error.kind == parser::ErrorKind::invalid ? fail(error.message, exit_data) : fail(error);
}

} // namespace fcgi
