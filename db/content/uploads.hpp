#pragma once

#include "db/content/archive.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>

namespace db {

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
