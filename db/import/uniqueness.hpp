#pragma once

#include "db/import/constraints.hpp"
#include "db/import/mistakes.hpp"
#include "db/mysql/connection.hpp"

#include <map>
#include <unordered_map>

namespace db {

// Whether no two rows have the same value in an attribute that is `unique`, by the collation of its
// column. Strapi 4.26 counts every row, 5.54 those that are published, each locale for itself.
class Uniqueness {
  public:
    Uniqueness(Connection& connection, Constraints const& constraints, Mistakes& mistakes)
        : connection_(connection), constraints_(constraints), mistakes_(mistakes) {}

    // A row that is to be there by the time of check().
    void take(ContentType const& type, std::uint64_t id, Origin const& place);
    // Rows that were not taken are nobody's mistake.
    parser::Result<void> check();

  private:
    parser::Result<void> check(ContentType const& type, Attribute const& attribute);

    Connection& connection_;
    Constraints const& constraints_;
    Mistakes& mistakes_;
    struct Type {
        std::vector<Attribute const*> attributes;
        std::unordered_map<std::uint64_t, Origin> places; // by id
    };
    std::map<ContentType const*, Type> types_;
};

} // namespace db
