#pragma once

#include "parser/base/error.hpp"

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

// What of a project's folders and files can be read. Where one is there and can't be, the error
// has its path and the system's reason, as Strapi ends for it when it starts.

namespace db {

// The error of a file or folder that is there and can't be read.
parser::Error unreadable(std::filesystem::path const& path, std::error_code const& error);

// The entries of a folder, by name; none if there is no such folder.
parser::Result<std::vector<std::filesystem::path>> entries(std::filesystem::path const& folder);

// The same of all folders below it, without the folders themselves. Behind a link to a folder no
// other is followed, so that it ends.
parser::Result<std::vector<std::filesystem::path>> files_below(std::filesystem::path const& folder,
                                                               bool follow_links = true);

// The whole of a file, without a byte order mark.
parser::Result<std::string> read_text(std::filesystem::path const& path);

// `folder`/src, or `folder` itself: that which holds api/.
parser::Result<std::filesystem::path> find_source(std::filesystem::path const& folder);

} // namespace db
