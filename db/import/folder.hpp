#pragma once

#include "db/import/content_file.hpp"
#include "db/import/mistakes.hpp"
#include "db/schema/schema.hpp"

#include <boost/json/value.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace db {

// An entry that is to be removed.
struct Removed {
    ContentType const* type = nullptr;
    std::uint64_t id = 0;
    Origin place;
};

// A folder to import: <uid>.ndjson or <uid>.csv for each type, files.ndjson for uploaded files,
// <uid>.removed with one id per line, access.json and locales.json. Any other file with such an
// ending or such a name is an error, so that a misspelt file is never ignored silently.
struct Folder {
    std::vector<std::unique_ptr<ContentFile>> contents; // sorted by file name
    std::vector<Removed> removed;
    std::optional<boost::json::value> access;
    std::optional<boost::json::value> locales;
};

parser::Result<Folder> open_folder(std::filesystem::path const& path, Schema const& schema,
                                   Mistakes& mistakes);

} // namespace db
