#pragma once

#include "db/import/mistakes.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>

namespace db {

struct ImportOptions {
    bool is_update = false; // existing entries may be changed and removed
    bool is_trial = false;  // everything is done, then rolled back
};

struct ImportCount {
    std::size_t added = 0;
    std::size_t changed = 0;
    std::size_t removed = 0;
    std::size_t skipped = 0;  // existed already, with the same content
    std::size_t mistakes = 0; // errors in the folder; if there are any, nothing was imported
    bool is_in_doubt = false; // connection lost during the commit: all is stored, or nothing
};

struct ImportObserver {
    // Called now and then with the share of the work that is done, 0 to 1, and the entries done.
    std::function<void(double share, std::size_t entries)> progress;
    // Called for each error in the folder, as it is found.
    Mistakes::Tell mistake;
};

// Loads a folder's content (see Folder, ContentFile and Record for the format) into the tables of
// the schema: all of it or, on any error, nothing. An entry whose id exists already is skipped if
// the database has the same content, else it is an error. Values that a line leaves out are NULL,
// except createdAt and updatedAt (now), publishedAt (now; null makes a draft) and locale (the
// default one). Lines must satisfy what the types' files require of values (see Constraints).
//
// In an update an existing entry becomes what its line says. Values that are left out become NULL,
// except updatedAt (now), and createdAt, publishedAt and what is_credential() names, which stay.
// Components are replaced if one of them differs. Relations that are left out stay. <uid>.removed
// lists the entries to remove.
//
// Strapi 5: a published entry also stands for its draft, unless the folder has that (see
// Documents). An entry of a type with drafts that leaves publishedAt out is a draft. A relation by
// id is one to the document, and links the rows on either side that Strapi 5.54 links.
//
// An error in the folder names the file, the line and the attribute, what was expected there and
// what was found. The function itself fails if the rest cannot be checked: the folder is missing,
// the database is gone, or another import is running.
parser::Result<ImportCount> import_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& folder,
                                          ImportOptions const& options,
                                          ImportObserver const& observer);

} // namespace db
