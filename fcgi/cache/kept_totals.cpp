#include "fcgi/cache/kept_totals.hpp"

#include <utility>

namespace fcgi {

std::optional<KeptTotals::Total> KeptTotals::find(std::string const& statement,
                                                  Freshness const& fresh) {
    if (!fresh.knows_changes()) return std::nullopt;
    std::lock_guard const lock(mutex_);
    auto const found = totals_.find(statement);
    if (found == totals_.end() || !fresh.holds(found->second.origin)) return std::nullopt;
    return found->second;
}

void KeptTotals::keep(std::string const& statement, Total total) {
    std::lock_guard const lock(mutex_);
    if (bytes_ + statement.size() > most_bytes) {
        totals_.clear();
        bytes_ = 0;
    }
    auto const [known, is_new] = totals_.insert_or_assign(statement, std::move(total));
    if (is_new) bytes_ += statement.size();
}

} // namespace fcgi
