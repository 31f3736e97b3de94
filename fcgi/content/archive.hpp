#pragma once

#include "db/archive/contents.hpp"
#include "db/replace/replace.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/error.hpp"

#include <filesystem>
#include <memory>
#include <string>

// What commands do with an archive that `strapi export` wrote.

namespace fcgi {

struct OpenArchive {
    std::unique_ptr<db::Archive> archive;
    db::ArchiveContents contents;
};

// Opens an archive and reads all of it. The passphrase of an encrypted one is in `key_file`, or
// else in the environment, in POPULATE_ARCHIVE_KEY.
parser::Result<OpenArchive> open_archive(std::filesystem::path const& path,
                                         std::string const& key_file);

// A folder with the schema files that the archive has, which goes with this.
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

// Of an error of an archive that of its content.
int fail_archive(parser::Error const& error);

// What `import ARCHIVE` is told.
struct ArchiveArguments {
    std::string key_file;
    std::string uploads; // folder for the files; empty: they are left out
    db::ReplaceOptions how;
};

// Returns the exit code.
int import_archive(std::filesystem::path const& path, ArchiveArguments const& arguments,
                   Options options);

} // namespace fcgi
