#pragma once

#include "fcgi/cache/freshness.hpp"
#include "parser/base/client_hash.hpp"

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace fcgi {

// Caches how many entries satisfy a condition, by the statement that counts them. All pages, sorts
// and fields of a list have one total, and it changes less often than they do: an edit of an entry
// that does not touch the condition leaves it as it is. Any thread.
class KeptTotals {
  public:
    using Total = Cached<std::uint64_t>;

    // Returns none if the total is not known, or may have changed.
    std::optional<Total> find(std::string const& key, Freshness const& fresh);
    void keep(std::string const& key, Total total);

  private:
    static constexpr std::size_t most_bytes = 1024 * 1024; // of keys; then all are dropped

    std::mutex mutex_;
    std::unordered_map<std::string, Total, parser::ClientHash, std::equal_to<>> totals_;
    std::size_t bytes_ = 0;
};

} // namespace fcgi
