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
    // The name of the database, from who knows that it holds what a CMS made.
    std::string replaced;
    bool is_trial = false; // all is done, and undone
};

struct ReplaceCount {
    std::size_t entries = 0;
    std::size_t links = 0;
    std::size_t mistakes = 0; // of the archive; if there are any, nothing was stored
    bool is_in_doubt = false; // the connection was lost while it ended: all is there, or nothing
};

struct ReplaceObserver {
    // How much of the archive has been written, 0 to 1, and how many entries.
    std::function<void(double share, std::size_t entries)> progress;
    // What is worth knowing, a sentence each: which rows go, what is left out.
    std::function<void(std::string const& sentence)> tell;
    Mistakes::Tell mistake;
};

// Puts the content of an archive in the place of that of the tables, in one transaction: rows,
// components, pairs, roles, permissions and locales as the archive has them, with their ids, and
// the settings that answers depend on. Entries that the archive lacks go, and it is said how many,
// of each type that will have none and, in a trial, of all types. What is in no archive stays: API
// tokens, the accounts of the admin panel, releases, who created an entry and who updated it. Of a
// part of a site (ArchiveContents::is_whole_site) entries of the types that it has replace those of
// the tables, and all else stays but pairs whose entry is gone.
//
// What a column can't hold is a mistake, as is a row that the database refuses; what the types'
// files would refuse is told with its count, for it is what the CMS has and serves.
//
// An error says why nothing was tried: the archive is not whole or of another version of Strapi
// than the tables, the tables have entries of types that the archive does not know, or rows that
// neither create-tables nor an import made, and `replaced` is not the name of the database.
parser::Result<ReplaceCount> replace_content(Connection& connection, Schema& schema,
                                             Archive& archive, ArchiveContents const& contents,
                                             ReplaceOptions const& options,
                                             ReplaceObserver const& observer);

} // namespace db
