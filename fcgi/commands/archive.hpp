#pragma once

#include "db/content/contents.hpp"
#include "fcgi/commands/progress_bar.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <memory>
#include <string>

// These functions let commands use an archive that `strapi export` wrote.

namespace fcgi {

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
