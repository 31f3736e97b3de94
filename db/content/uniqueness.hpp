#pragma once

#include "db/content/constraints.hpp"
#include "db/content/mistakes.hpp"
#include "db/mysql/connection.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace db {

// Checks that no two rows have the same value in a `unique` attribute, by the collation of its
// column. Strapi 4.26 compares all rows; 5.54 compares published rows, each locale for itself.
class Uniqueness {
  public:
    Uniqueness(Connection& connection, Constraints const& constraints, Mistakes& mistakes)
        : connection_(connection), constraints_(constraints), mistakes_(mistakes) {}

    // Adds a row that will be there by the time of check().
    void take(ContentType const& type, std::uint64_t id, Origin const& place);
    // A conflict is reported only if one of its rows was taken.
    parser::Result<void> check();

  private:
    // Takes 16 bytes for each row, of which there may be millions.
    struct Place {
        std::uint64_t id = 0;
        std::uint32_t file = 0; // index into files_
        std::uint32_t line = 0;
    };
    struct Type {
        std::vector<Attribute const*> attributes;
        std::vector<Place> places; // check() sorts them by id; of equal ids the first counts
    };
    static Place const* find(Type const& type, std::uint64_t id);
    parser::Result<void> check(ContentType const& type, Type const& taken,
                               Attribute const& attribute);

    Connection& connection_;
    Constraints const& constraints_;
    Mistakes& mistakes_;
    std::vector<std::string> files_;
    std::map<ContentType const*, Type> types_;
};

} // namespace db
