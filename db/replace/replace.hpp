#pragma once

#include "db/archive/contents.hpp"
#include "db/import/mistakes.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstddef>
#include <functional>
#include <string>

namespace db {

struct ReplaceOptions {
    // The name of the database, given by somebody who knows that it holds what a CMS made.
    std::string replaced;
    bool is_trial = false; // everything is done, then rolled back
};

struct ReplaceCount {
    std::size_t entries = 0;
    std::size_t links = 0;
    std::size_t mistakes = 0; // errors in the archive; if there are any, nothing was stored
    bool is_in_doubt = false; // connection lost during the commit: all is stored, or nothing
};

struct ReplaceObserver {
    // Called with the share of the archive that is written, 0 to 1, and the number of entries.
    std::function<void(double share, std::size_t entries)> progress;
    // Called with each fact worth knowing, in a sentence: which rows go, what is left out.
    std::function<void(std::string const& sentence)> tell;
    Mistakes::Tell mistake;
};

// Replaces the content of the tables with that of an archive, in one transaction: rows, components,
// pairs, roles, permissions and locales as the archive has them, with their ids, and the settings
// that responses depend on. Entries that the archive lacks are removed. Their number is reported in
// total, for each type that will have none and, in a trial, for all types. What no archive has
// stays: API tokens, the accounts of the admin panel, releases, who created an entry and who
// updated it. If the archive is a part of a site (ArchiveContents::is_whole_site), its entries
// replace those of the same types, and everything else stays except pairs whose entry is gone.
//
// A value that a column can't hold is an error, as is a row that the database refuses. Values that
// the types' files would refuse are stored and their number is reported, since the CMS has and
// serves them.
//
// Fails before it changes anything if the archive is incomplete or of another version of Strapi
// than the tables, or if the tables have entries of types that the archive does not know, or rows
// that neither create-tables nor an import made while `replaced` is not the name of the database.
parser::Result<ReplaceCount> replace_content(Connection& connection, Schema& schema,
                                             Archive& archive, ArchiveContents const& contents,
                                             ReplaceOptions const& options,
                                             ReplaceObserver const& observer);

} // namespace db
