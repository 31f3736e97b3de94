#pragma once

#include "db/archive/contents.hpp"
#include "db/schema/schema.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace db {

// Writes the files of a Strapi project that the archive says: the schemas of its types and
// components, and the version of Strapi in package.json. `folder` is new or empty. What is in no
// archive is not there: routes, code, settings.
parser::Result<void> write_project(ArchiveContents const& contents,
                                   std::filesystem::path const& folder);

// How the types and components of a project differ from those of an archive, a sentence each.
std::vector<std::string> schema_differences(ArchiveContents const& contents, Schema const& schema);

// Whether rows of the type are exported: those of the admin panel and of releases never are.
bool is_exported(std::string_view uid);

} // namespace db
