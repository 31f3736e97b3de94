#pragma once

#include "db/content/content_file.hpp"
#include "db/content/mistakes.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace db {

// A folder to import: <uid>.ndjson or <uid>.csv for each type, files.ndjson for uploaded files,
// access.json and locales.json. Any other file with such an ending or such a name is an error, so
// that a misspelt file is never ignored silently. `tell` is told of <uid>.removed, which older
// versions read.
struct Folder {
    std::vector<std::unique_ptr<ContentFile>> contents; // sorted by file name
    std::optional<boost::json::value> access;
    std::optional<boost::json::value> locales;
};

parser::Result<Folder> open_folder(std::filesystem::path const& path, Schema const& schema,
                                   Mistakes& mistakes,
                                   std::function<void(std::string const&)> const& tell);

} // namespace db
