#pragma once

#include "db/plan/read_plan.hpp"
#include "db/read/index.hpp"

#include <cstddef>
#include <vector>

namespace db {

// An index that a statement would use.
struct WantedIndex {
    Index index;
    // So many of the first columns are compared with one value each.
    std::size_t equalities = 0;
    // So many of the first columns are needed in this order. The others are only looked at, so that
    // the rows need not be.
    std::size_t ordered = 0;
    auto operator<=>(WantedIndex const&) const = default;
};

// Returns whether statements that want the latter are as well off with the former.
bool serves(Index const& index, WantedIndex const& wanted);

// Returns the indexes with which the statements of a plan need not read or sort whole tables:
//
//   - of the root: the columns that are compared with one value, then those that the list is sorted
//     by, then its other columns that the total depends on, locale and published_at among them, so
//     that the total is counted in the index;
//   - of a type that filters lead to: the columns that are compared;
//   - of a link whose inverse side is populated with a limit: the parent, then the link order.
//
// No index begins with `locale`, unless a list is sorted by that. Most entries have the same
// locale, so such an index narrows little, but the database takes it for each statement that it
// does not serve, too: with 200,000 articles, totals of `$contains` took five times as long.
std::vector<WantedIndex> wanted_by(ReadPlan const& plan);

} // namespace db
