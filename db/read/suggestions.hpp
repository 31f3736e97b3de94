#pragma once

#include "db/read/existing.hpp"
#include "db/read/wanted.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace db {

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

} // namespace db
