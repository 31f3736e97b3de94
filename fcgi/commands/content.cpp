#include "fcgi/commands/content.hpp"

#include "db/content/archived_files.hpp"
#include "db/content/content_errors.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/option_sources.hpp"
#include "fcgi/options/options.hpp"

#include <cerrno>
#include <cstdio>
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

} // namespace

parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options) {
    if (options.database.empty())
        return parser::Error{parser::ErrorKind::configuration,
                             "database: expected mysql://user:password@host:port/name"};
    return db::Connection::open(options.database_hosts, db::owner_session);
}

int nothing_imported(int code, std::size_t errors) {
    if (errors > db::ContentErrors::most_reported)
        std::cerr << "and " << errors - db::ContentErrors::most_reported << " more mistakes\n";
    std::cerr << "nothing was imported\n";
    return code;
}

ProgressBar::ProgressBar() : is_terminal_(isatty(STDERR_FILENO) == 1) {
}

ProgressBar::~ProgressBar() {
    if (shown_ >= 0) std::fputc('\n', stderr);
}

void ProgressBar::show(double share, std::size_t entries) {
    int const percent = static_cast<int>(share * 100);
    if (!is_terminal_ || percent == shown_) return;
    shown_ = percent;
    constexpr char full[] = "########################################";
    constexpr int width = sizeof full - 1;
    int const filled = percent * width / 100;
    std::fprintf(stderr, "\r[%.*s%*s] %3d %%", filled, full, width - filled, "", percent);
    if (entries == 0) {
        begun_ = Clock::now();
        return;
    }
    std::chrono::duration<double> const time = Clock::now() - begun_;
    std::fprintf(stderr, ", %.0f entries/s ", static_cast<double>(entries) / time.count());
}

void ProgressBar::clear() {
    if (shown_ >= 0) std::fputs("\r\033[K", stderr);
    shown_ = -1;
}

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
