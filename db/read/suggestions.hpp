#pragma once

#include "db/plan/read_plan.hpp"
#include "db/read/index.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
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

struct Suggestion {
    Index index;
    std::uint64_t asked = 0; // requests that would use it
    std::string example;     // one of these
};

// Finds the fewest indexes that serve many plans.
class Suggestions {
  public:
    void add(ReadPlan const& plan, std::uint64_t asked, std::string const& example);

    // Returns what the existing indexes do not serve, without those that another one serves, too;
    // the most asked first.
    std::vector<Suggestion> least(std::vector<ExistingIndex> const& existing) const;

  private:
    struct Use {
        WantedIndex wanted;
        std::uint64_t asked = 0;
        std::string example;
    };
    std::vector<Use> uses_;
};

// Returns the indexes that most sites use: for the list of each collection type with its total, for
// an entry by its slug (`uid`), and for relations with a limit. Those that existing ones serve are
// left out.
std::vector<Index> usual_indexes(Schema const& schema, std::vector<ExistingIndex> const& existing);

} // namespace db
