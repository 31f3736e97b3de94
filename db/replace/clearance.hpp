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

// What a CMS has written beside content, and neither create-tables nor an import makes: `1 in
// admin_users, 61 in strapi_core_store_settings`. Empty: there is nothing of it.
parser::Result<std::string> rows_of_cms(Connection& connection, TableColumns const& tables);

// How many entries there are of each content type that is exported, by UID.
using EntryCounts = std::map<std::string, std::uint64_t>;
parser::Result<EntryCounts> count_entries(Connection& connection, Schema const& schema);

// The types whose entries are replaced: those of the archive, or, where it is a part of a site,
// those that it has entries of.
class ReplacedTypes {
  public:
    ReplacedTypes(ArchiveContents const& contents, Schema const& schema);

    bool are_all() const { return are_all_; } // of the site
    bool contains(ContentType const& type) const { return types_.contains(&type); }
    std::set<ContentType const*> const& types() const { return types_; }
    // The UIDs, with commas between.
    std::string text() const;

  private:
    std::set<ContentType const*> types_;
    bool are_all_;
};

// The types that have entries and are none of the archive's: `api::tag.tag (40)`. Empty: there are
// none. Roles, permissions and locales are not among them: create-tables makes some, and where the
// archive's site has not the plugin that they are of, they stay.
std::string types_beyond(ArchiveContents const& contents, EntryCounts const& counts);

// Deletes all rows of these types with their components, and the pairs that they have with each
// other. Pairs with rows of other types stay, as do those of components, unless all types go.
parser::Result<void> delete_content(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced);

// Deletes those pairs that stayed, and one of whose rows is not there any more.
parser::Result<void> delete_lost_pairs(Connection& connection, Schema const& schema,
                                       ReplacedTypes const& replaced);

} // namespace db
