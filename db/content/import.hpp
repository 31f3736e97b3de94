#pragma once

#include "db/content/content_errors.hpp"
#include "db/content/contents.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>

namespace db {

struct ImportOptions {
    // The name of the database, given by somebody who knows that it holds what a CMS made.
    std::string replaced;
    bool may_change = false; // a folder may change and remove entries that are there
    bool is_trial = false;   // everything is done, then rolled back
};

struct ImportCount {
    std::size_t added = 0; // of an archive: all
    std::size_t changed = 0;
    std::size_t removed = 0;
    std::size_t unchanged = 0;
    std::size_t links = 0;    // of an archive
    std::size_t errors = 0;   // errors in the source; if there are any, nothing was imported
    bool is_in_doubt = false; // connection lost during the commit: all is stored, or nothing
};

// All of it is given.
struct ImportObserver {
    // Called now and then with the share of the work that is done, 0 to 1, and the entries done.
    std::function<void(double share, std::size_t entries)> progress;
    // Called with each fact worth knowing, in a sentence: which rows go, what is left out.
    std::function<void(std::string const& sentence)> report;
    // Called for each error in the source, as it is found.
    ContentErrors::Report error;
};

// Both functions replace the content of the tables by that of a source, in one transaction: all of
// it or, on any error, nothing. Rows and pairs of the types that the source has are deleted and
// written anew, with the same ids. What a source cannot have stays: API tokens, the accounts of the
// admin panel, releases, who created an entry and who updated it.
//
// They fail before they change anything if another import is running, or if the tables have rows
// that neither create-tables nor an import made and entries would go, while `replaced` is not the
// name of the database.

// Imports a folder (see Folder, ContentFile and Record for the format). Afterwards the tables have
// its entries, and no others, of the types that it has files of. It fails if entries that are there
// would be changed or removed, unless options allow that. If all are as the folder has them,
// nothing is written.
//
// Values that a line leaves out are NULL, except createdAt and updatedAt (now), publishedAt (now;
// null makes a draft) and locale (the default one). Lines must satisfy what the types' files
// require of values (see Constraints). An entry that was there keeps such times, and what
// is_credential() names, if its line leaves them out; its documentId; and the ids of components
// that have none. A relation that neither side names is emptied, unless the folder does not have
// the other side's type.
//
// Strapi 5: a published entry also stands for its draft, unless the folder has that (see
// DocumentRows). A new entry of a type with drafts that leaves publishedAt out is a draft. A
// relation by id is one to the document, and links the rows on either side that Strapi 5.54 links.
//
// An error in the folder names the file, the line and the attribute, what was expected there and
// what was found.
//
// It needs memory for the pairs of all relations, and as much as an export.
parser::Result<ImportCount> import_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& folder,
                                          ImportOptions const& options,
                                          ImportObserver const& observer);

// Imports an archive of `strapi export`: rows, components, pairs, roles, permissions and locales as
// it has them, and the settings that responses depend on. Entries that it lacks are removed. Their
// number is reported in total, for each type that will have none and, in a trial, for all types. If
// the archive is a part of a site (ArchiveContents::is_whole_site), its entries replace those of
// the same types, and everything else stays except pairs whose entry is gone.
//
// A value that a column can't hold is an error, as is a row that the database refuses. Values that
// the types' files would refuse are stored and their number is reported, since the CMS has and
// serves them.
//
// It also fails before it changes anything if the archive is incomplete or of another version of
// Strapi than the tables, or if the tables have entries of types that it does not know.
parser::Result<ImportCount> import_archive(Connection& connection, Schema& schema, Archive& archive,
                                           ArchiveContents const& contents,
                                           ImportOptions const& options,
                                           ImportObserver const& observer);

} // namespace db
