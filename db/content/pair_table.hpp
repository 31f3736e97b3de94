#pragma once

#include "db/content/insertion.hpp"
#include "db/schema/schema.hpp"

#include <optional>
#include <string_view>

namespace db {

// A pair of a relation, as the attribute that owns it has it.
struct Pair {
    std::uint64_t owner = 0;
    std::uint64_t target = 0;
    std::string_view target_type; // of a polymorphic one, as is `field`, which may be empty
    std::string_view field;
    std::optional<double> position; // in the owner's list
    std::optional<double> inverse;  // in the target's list
};

// Writes the pairs of one relation, into a table of their own or into the owners' rows. The rows
// are there.
class PairTable {
  public:
    PairTable(Connection& connection, Mistakes& mistakes, Attribute const& owning);

    parser::Result<void> add(Pair const& pair, Origin const& place);
    // Writes the pairs that are left.
    parser::Result<void> flush() { return insertion_.flush(); }

  private:
    parser::Result<void> update(Pair const& pair);

    Connection& connection_;
    Attribute const& owning_;
    std::string const inverse_order_; // the column; empty: the other side has no order
    Insertion insertion_;
};

} // namespace db
