#pragma once

#include "db/archive/contents.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "parser/base/error.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

namespace db {

// Returns what a CMS has written beside content and neither create-tables nor an import makes: `1
// in admin_users, 61 in strapi_core_store_settings`. Empty if there is nothing.
parser::Result<std::string> rows_of_cms(Connection& connection, TableColumns const& tables);

// The number of entries of each content type that is exported, by UID.
using EntryCounts = std::map<std::string, std::uint64_t>;
parser::Result<EntryCounts> count_entries(Connection& connection, Schema const& schema);

// The types whose entries are replaced: those of the archive or, if it is a part of a site, those
// that it has entries of.
class ReplacedTypes {
  public:
    ReplacedTypes(ArchiveContents const& contents, Schema const& schema);

    bool are_all() const { return are_all_; } // of the site
    bool contains(ContentType const& type) const { return types_.contains(&type); }
    std::set<ContentType const*> const& types() const { return types_; }
    // Returns the UIDs, separated by commas.
    std::string text() const;

  private:
    std::set<ContentType const*> types_;
    bool are_all_;
};

// Returns the types that have entries but are not in the archive: `api::tag.tag (40)`. Empty if
// there are none. Roles, permissions and locales are not included: create-tables makes some, and if
// the archive's site lacks their plugin they stay.
std::string types_beyond(ArchiveContents const& contents, EntryCounts const& counts);

// Deletes all rows of these types with their components, and the pairs that they have with each
// other. Pairs with rows of other types stay, as do those of components, unless all types are
// replaced.
parser::Result<void> delete_content(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced);

// Deletes the pairs that stayed, but of which one row is gone.
parser::Result<void> delete_lost_pairs(Connection& connection, Schema const& schema,
                                       ReplacedTypes const& replaced);

} // namespace db
