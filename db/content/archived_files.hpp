#pragma once

#include "db/content/archive.hpp"
#include "db/content/contents.hpp"
#include "db/schema/schema.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

// What an archive has beside rows: the files of its project, and uploaded ones.

namespace db {

// Writes files of a Strapi project as the archive describes them: the schemas of its types and
// components, and the version of Strapi in package.json. `folder` is new or empty. It lacks what no
// archive has: routes, code, settings.
parser::Result<void> write_project(ArchiveContents const& contents,
                                   std::filesystem::path const& folder);

// Returns how the types and components of a project differ from the archive's, a sentence each.
std::vector<std::string> schema_differences(ArchiveContents const& contents, Schema const& schema);

struct UploadCount {
    std::size_t written = 0;
    std::size_t equal = 0; // existed already
};

// Fails if files cannot be written into the folder. An import checks it before it stores content.
parser::Result<void> check_uploads(std::filesystem::path const& folder);

// Writes the uploaded files, and their smaller formats, into a folder, under the names that URLs
// have behind `/uploads/`. Each is written aside and then renamed, so that nobody reads half of
// one. Files that the archive does not have stay. Reads the archive from its beginning.
parser::Result<UploadCount> write_uploads(Archive& archive, std::filesystem::path const& folder,
                                          std::function<void()> const& progress);

} // namespace db
