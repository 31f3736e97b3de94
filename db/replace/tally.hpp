#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

namespace db {

// How often something was met that is no mistake, by what is said of it.
class Tally {
  public:
    void add(std::string const& what, std::size_t count = 1) { counts_[what] += count; }
    // `api::tag.tag: colour: the project has no such attribute: 40 left out`
    void tell(std::function<void(std::string const&)> const& tell) const {
        for (auto const& [what, count] : counts_)
            if (tell) tell(what + ": " + std::to_string(count));
    }

  private:
    std::map<std::string, std::size_t> counts_;
};

} // namespace db
