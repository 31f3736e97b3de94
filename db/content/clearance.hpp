#pragma once

#include "db/content/contents.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "parser/base/error.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace db {

// Returns what a CMS has written beside content and neither create-tables nor an import makes: `1
// in admin_users, 61 in strapi_core_store_settings`. Empty if there is nothing.
parser::Result<std::string> rows_of_cms(Connection& connection, TableColumns const& tables);

// The number of entries of each content type that is exported, by UID.
using EntryCounts = std::map<std::string, std::uint64_t>;
parser::Result<EntryCounts> count_entries(Connection& connection, Schema const& schema);

// The types whose entries are replaced: those of an archive or, if that is a part of a site, those
// that it has entries of; or those that a folder names.
class ReplacedTypes {
  public:
    ReplacedTypes(ArchiveContents const& contents, Schema const& schema);
    explicit ReplacedTypes(std::set<ContentType const*> types) : types_(std::move(types)) {}

    bool are_all() const { return are_all_; } // of the site
    bool contains(ContentType const& type) const { return types_.contains(&type); }
    std::set<ContentType const*> const& types() const { return types_; }
    // Returns the UIDs, separated by commas.
    std::string text() const;

  private:
    std::set<ContentType const*> types_;
    bool are_all_ = false;
};

// Returns the types that have entries but are not in the archive: `api::tag.tag (40)`. Empty if
// there are none. Roles, permissions and locales are not included: create-tables makes some, and if
// the archive's site lacks their plugin they stay.
std::string types_beyond(ArchiveContents const& contents, EntryCounts const& counts);

using Ids = std::vector<std::uint64_t>;

// Appends the condition that the column has one of these values.
SqlText& in(SqlText& sql, std::string const& column, std::span<std::uint64_t const> ids);

// Calls `each` with as many ids at a time as suit one statement.
template<class Each>
parser::Result<void> by_chunks(Ids const& ids, Each const& each) {
    constexpr std::ptrdiff_t most = 500;
    for (auto first = ids.begin(); first != ids.end();) {
        auto const last = first + std::min(most, ids.end() - first);
        if (auto done = each(Ids(first, last)); !done) return done;
        first = last;
    }
    return {};
}

// Begins a statement that removes pairs of an attribute, with a condition to follow: it deletes
// their rows or, in the owner's own row, empties the columns.
SqlText without_pairs(Attribute const& attribute);

// Deletes rows with their components.
parser::Result<void> delete_rows(Connection& connection, Schema const& schema,
                                 ContentType const& type, Ids const& ids);

// Deletes all rows of these types with their components. Pairs stay, and wait for rows with the
// same ids.
parser::Result<void> delete_content(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced);

// Deletes the pairs that the types have with each other. Pairs of components stay, unless all types
// are replaced.
parser::Result<void> delete_pairs(Connection& connection, Schema const& schema,
                                  ReplacedTypes const& replaced);

// Deletes the pairs that stayed, but of which one row is gone.
parser::Result<void> delete_lost_pairs(Connection& connection, Schema const& schema,
                                       ReplacedTypes const& replaced);

} // namespace db
