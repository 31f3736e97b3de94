#pragma once

#include "db/schema/cms.hpp"
#include "parser/base/error.hpp"

#include <boost/json/object.hpp>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
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

// Returns the bytes of a regular file that is no link and has at most so many. Any other is an
// error, and nothing is read of it.
parser::Result<std::string> read_regular(std::filesystem::path const& path, std::size_t most);

// Returns the checksum as sha256sum prints it: 64 hexadecimal digits.
std::string sha256_of(std::string_view bytes);

// Returns `folder`/src or `folder` itself, whichever holds api/.
parser::Result<std::filesystem::path> find_source(std::filesystem::path const& folder);

// Returns the folder of the project whose `source` holds api/.
std::filesystem::path project_of(std::filesystem::path const& source);

// Reads a JSON object as jsonfile does for Strapi: bytes that are not UTF-8 are replaced, and no
// error.
parser::Result<boost::json::object> read_object(std::filesystem::path const& path);

// Returns the dependencies in the package.json in or beside `source`, which holds api/.
std::map<std::string, std::string, std::less<>>
read_dependencies(std::filesystem::path const& source);

// Returns the version of Strapi that the project's package.json names; absent if it names none, or
// has no number for it.
std::optional<Version> project_version(std::filesystem::path const& folder);

// The release that a project uses, and the file that says so.
struct ProjectRelease {
    Release release;
    std::string file;
};

// Returns the release that npm, yarn or pnpm has installed: that in node_modules of the project or
// of a folder above it, else that in a lock file, else the lowest that package.json accepts. Absent
// if none of them names one.
std::optional<ProjectRelease> project_release(std::filesystem::path const& folder);

} // namespace db
