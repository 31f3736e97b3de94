#include "fcgi/cache/kept_totals.hpp"

#include <utility>

namespace fcgi {

std::optional<KeptTotals::Total> KeptTotals::find(std::string const& key, Freshness const& fresh) {
    if (!fresh.knows_changes()) return std::nullopt;
    std::lock_guard const lock(mutex_);
    auto const found = totals_.find(key);
    if (found == totals_.end() || !fresh.holds(found->second.origin)) return std::nullopt;
    return found->second;
}

void KeptTotals::keep(std::string const& key, Total total) {
    std::lock_guard const lock(mutex_);
    if (bytes_ + key.size() > most_bytes) {
        totals_.clear();
        bytes_ = 0;
    }
    auto const [known, is_new] = totals_.insert_or_assign(key, std::move(total));
    if (is_new) bytes_ += key.size();
}

} // namespace fcgi
