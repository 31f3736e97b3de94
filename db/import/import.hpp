#pragma once

#include "db/import/mistakes.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>

namespace db {

struct ImportOptions {
    bool is_update = false; // what is there may change, and go
    bool is_trial = false;  // all is done, and undone
};

struct ImportCount {
    std::size_t added = 0;
    std::size_t changed = 0;
    std::size_t removed = 0;
    std::size_t skipped = 0;  // were there already, with the same content
    std::size_t mistakes = 0; // of the folder; if there are any, nothing was imported
    bool is_in_doubt = false; // the connection was lost while it ended: it is all there, or nothing
};

struct ImportObserver {
    // How much of the work is done, 0 to 1, and how many entries are; called every now and then.
    std::function<void(double share, std::size_t entries)> progress;
    // Called for each mistake, as it is found.
    Mistakes::Tell mistake;
};

// Loads a folder's content (see Folder, ContentFile and Record for the format) into the tables of
// the schema, all of it or, on any mistake, nothing. An entry whose id is there already is skipped
// if the database says the same of it, else that is a mistake. Values that a line leaves out are
// NULL, but for createdAt and updatedAt (now), publishedAt (now; null makes a draft) and locale
// (the default one). What the types' files ask of values is asked of the lines (see Constraints).
//
// In an update an entry that is there becomes what its line says: values that are left out are
// NULL, but for the times and what is_credential(), which stay; components are made anew where one
// of them differs; relations that are left out stay. <uid>.removed lists what goes.
//
// Strapi 5: a published entry stands for its draft, too, unless the folder has that (see
// Documents); an entry of a type with drafts that leaves publishedAt out is one. A relation by id
// is one to the document, with the rows on either side that Strapi 5.54 links.
//
// A mistake names the file, the line and the attribute, what was expected there and what was found.
// An error is what keeps the rest from being looked at: the folder is not there, the database is
// gone, another import is under way.
parser::Result<ImportCount> import_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& folder,
                                          ImportOptions const& options,
                                          ImportObserver const& observer);

} // namespace db
