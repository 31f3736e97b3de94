#include "fcgi/answer/plan_cache.hpp"

#include <utility>

namespace fcgi {

namespace {

// A front end has some hundred kinds of requests. A client that makes up others is no reason to
// hold more: if they do not fit, all plans are dropped, and those in use are soon there again.
constexpr std::size_t most_bytes = 4 * 1024 * 1024;
constexpr std::size_t node_bytes = 1'024; // measured on populate=* of a type with ten relations

std::size_t size_of(std::string const& key, db::SelectedPlan const& plan) {
    std::size_t size = key.size() + plan.statements.total.str().size();
    for (db::Statement const& statement : plan.statements.nodes)
        size += node_bytes + statement.sql.str().size();
    return size;
}

} // namespace

PlanCache::Plan PlanCache::find(Key const& key) const {
    auto const text = key.text();
    std::lock_guard const lock(mutex_);
    auto const found = entries_.find(text);
    return found == entries_.end() ? nullptr : found->second.plan;
}

void PlanCache::keep(Key const& key, Plan plan) {
    auto text = key.text();
    std::size_t const size = size_of(text, *plan);
    if (size > most_bytes / 8) return;
    Entries forgotten; // destroyed outside of the lock
    std::lock_guard const lock(mutex_);
    if (bytes_ + size > most_bytes) {
        forgotten.swap(entries_);
        bytes_ = 0;
    }
    entries_.insert_or_assign(std::move(text), Entry{std::move(plan), key.permissions});
    bytes_ += size;
}

} // namespace fcgi
