#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace db {

// Counts events that are no errors, by the sentence that reports them.
class Tally {
  public:
    void add(std::string const& what, std::size_t count = 1) { counts_[what] += count; }
    // Reports `api::tag.tag: colour: the project has no such attribute, values left out: 40`.
    void tell(std::function<void(std::string const&)> const& tell) const {
        for (auto const& [what, count] : counts_)
            if (tell) tell(what + ": " + std::to_string(count));
    }

  private:
    std::map<std::string, std::size_t> counts_;
};

} // namespace db
