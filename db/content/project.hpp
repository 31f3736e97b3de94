#pragma once

#include "db/content/contents.hpp"
#include "db/schema/schema.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace db {

// Writes files of a Strapi project as the archive describes them: the schemas of its types and
// components, and the version of Strapi in package.json. `folder` is new or empty. It lacks what no
// archive has: routes, code, settings.
parser::Result<void> write_project(ArchiveContents const& contents,
                                   std::filesystem::path const& folder);

// Returns how the types and components of a project differ from the archive's, a sentence each.
std::vector<std::string> schema_differences(ArchiveContents const& contents, Schema const& schema);

// Returns whether rows of the type are exported; those of the admin panel and releases never are.
bool is_exported(std::string_view uid);

} // namespace db
