#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

// Reads a project's folders and files. If one exists but can't be read, the error has its path and
// the system's reason; Strapi does not start then either.

namespace db {

// Returns the error of a file or folder that exists but can't be read.
parser::Error unreadable(std::filesystem::path const& path, std::error_code const& error);

// Returns the entries of a folder, sorted by name; none if there is no such folder.
parser::Result<std::vector<std::filesystem::path>> entries_of(std::filesystem::path const& folder);

// Returns the files in a folder and in all folders below it. Below a link to a folder no other link
// is followed, so that it ends.
parser::Result<std::vector<std::filesystem::path>> files_below(std::filesystem::path const& folder,
                                                               bool follow_links = true);

// Returns the content of a file, without a byte order mark.
parser::Result<std::string> read_text(std::filesystem::path const& path);

// Returns `folder`/src or `folder` itself, whichever holds api/.
parser::Result<std::filesystem::path> find_source(std::filesystem::path const& folder);

} // namespace db
