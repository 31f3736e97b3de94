#pragma once

#include "db/content/contents.hpp"
#include "db/mysql/connection.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>

// What the commands share whose account is the owner of the tables: create-tables, import, export,
// token.

namespace fcgi {

// Opens a connection that may write and take its time.
parser::Result<std::unique_ptr<db::Connection>> open_as_owner(Options const& options);

// Says that nothing was imported, and how many of the errors were not reported; returns `code`.
int nothing_imported(int code, std::size_t errors = 0);

// Draws a growing line on standard error, if that is a terminal.
class ProgressBar {
  public:
    ProgressBar();
    ~ProgressBar();
    ProgressBar(ProgressBar const&) = delete;
    ProgressBar& operator=(ProgressBar const&) = delete;

    void show(double share, std::size_t entries);
    // Removes the line to make room for text; the next show() draws it again below.
    void clear();

  private:
    using Clock = std::chrono::steady_clock;

    bool const is_terminal_;
    int shown_ = -1;
    Clock::time_point begun_ = Clock::now(); // when the entries began
};

// An archive that `strapi export` wrote.
struct OpenArchive {
    std::unique_ptr<db::Archive> archive;
    db::ArchiveContents contents;
};

// Opens an archive and reads all of it. The passphrase of an encrypted one is in `key_file`, or
// else in the environment variable POPULATE_ARCHIVE_KEY.
parser::Result<OpenArchive> open_archive(std::filesystem::path const& path,
                                         std::string const& key_file);

// A folder with the schema files of the archive, which is removed with this object.
class ArchivedProject {
  public:
    static parser::Result<std::unique_ptr<ArchivedProject>>
    create(db::ArchiveContents const& contents);
    ~ArchivedProject();
    ArchivedProject(ArchivedProject const&) = delete;
    ArchivedProject& operator=(ArchivedProject const&) = delete;

    std::filesystem::path const& folder() const { return folder_; }

  private:
    explicit ArchivedProject(std::filesystem::path folder) : folder_(std::move(folder)) {}
    std::filesystem::path folder_;
};

// Shows how much of the archive has been read, if that can be known.
void show_progress(ProgressBar& bar, db::Archive const& archive);

// Reports the error and returns the exit code; exit_data if it is in the archive's content.
int fail_archive(parser::Error const& error);

} // namespace fcgi
