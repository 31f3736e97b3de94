#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>

namespace db {

struct ImportCount {
    std::size_t added = 0;
    std::size_t skipped = 0; // were there already, with the same content
};

// How much of the work is done, 0 to 1; called every now and then.
using ImportProgress = std::function<void(double)>;

// Loads a folder's content (see Folder and Record for the format) into the tables of the schema,
// all of it or, on any error, nothing. An entry whose id is there already is skipped if the
// database says the same of it, else an error. Values that a line leaves out are NULL, but for
// createdAt and updatedAt (now), publishedAt (now; null makes a draft) and locale (the default
// one).
//
// Strapi 5: a published entry stands for its draft, too, unless the folder has that (see
// Documents); an entry of a type with drafts that leaves publishedAt out is one. A relation by id
// is one to the document, with the rows on either side that Strapi 5.54 links.
//
// An error names the file, the line and the attribute, what was expected there and what was found.
parser::Result<ImportCount> import_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& folder,
                                          ImportProgress const& progress);

} // namespace db
