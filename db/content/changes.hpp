#pragma once

#include "db/content/census.hpp"
#include "db/content/import.hpp"

#include <map>
#include <string>
#include <unordered_map>

namespace db {

// Hashes of all entries that are replaced, by id: their values, components and relations with
// entries that neither come nor go.
using Fingerprints = std::map<ContentType const*, std::unordered_map<std::uint64_t, std::size_t>>;
parser::Result<Fingerprints> read_fingerprints(Connection& connection, Schema const& schema,
                                               Census const& census);

// What a folder has changed. A line counts once, also if it stands for a draft as well.
class Changes {
  public:
    Changes() = default;
    Changes(Fingerprints const& before, Fingerprints const& after, Census const& census);

    ImportCount total() const;
    // Reports `api::tag.tag: 2 entries are changed, 1 are removed` for each type with any.
    void tell(std::function<void(std::string const&)> const& tell) const;

  private:
    std::map<std::string, ImportCount> counts_; // by UID
};

} // namespace db
