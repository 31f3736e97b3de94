#include "fcgi/handler/plans.hpp"

#include <algorithm>
#include <cstdint>
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

constexpr std::uint64_t expensive_units = db::TimePairs::units(PlanCosts::expensive_from);

// Returns a value an eighth of the way from `from` to `to`, rounded away from `from`.
std::uint64_t nearer(std::uint64_t from, std::uint64_t to) {
    return to < from ? from - (from - to + 7) / 8 : from + (to - from + 7) / 8;
}

// Content grows, so that what was quick may never be again: each slow time raises the quick time a
// little, so that some eighty of them lead from a millisecond to a hundred.
std::uint64_t quicker(std::uint64_t before, std::uint64_t now) {
    return std::min(now, before + (before + 15) / 16);
}

} // namespace

std::string ContentKey::text(std::size_t more) const {
    auto const address = reinterpret_cast<std::uintptr_t>(permissions.get());
    std::string text;
    text.reserve(sizeof address + path.size() + query.size() + 2 + more);
    text.append(reinterpret_cast<char const*>(&address), sizeof address);
    text += static_cast<char>(document_format);
    return text.append(path).append("?").append(query);
}

PlanCache::Plan PlanCache::find(ContentKey const& key) const {
    auto const text = key.text();
    std::lock_guard const lock(mutex_);
    auto const found = entries_.find(text);
    return found == entries_.end() ? nullptr : found->second.first;
}

void PlanCache::store(ContentKey const& key, Plan plan) {
    auto text = key.text();
    std::size_t const size = size_of(text, *plan);
    if (size > most_bytes / 8) return;
    Entries dropped; // destroyed outside of the lock
    std::lock_guard const lock(mutex_);
    if (bytes_ + size > most_bytes) {
        dropped.swap(entries_);
        bytes_ = 0;
    }
    entries_.insert_or_assign(std::move(text), Entry(std::move(plan), key.permissions));
    bytes_ += size;
}

Cost PlanCosts::of(db::SelectedPlan const& plan) const {
    auto const [quick, average] = times_.of(plan.shape);
    if (quick == 0) return plan.looks_expensive ? Cost::expensive : Cost::unknown;
    if (quick >= expensive_units) return Cost::expensive;
    return average >= expensive_units || plan.looks_expensive ? Cost::unknown : Cost::cheap;
}

void PlanCosts::add(db::SelectedPlan const& plan, Time time, bool whole) {
    auto const [quick, average] = times_.of(plan.shape);
    auto const now = db::TimePairs::units(time);
    if (!whole && now < std::max(average, expensive_units)) return;
    if (quick == 0)
        times_.store(plan.shape, {now, now});
    else
        times_.store(plan.shape, {quicker(quick, now), nearer(average, now)});
}

} // namespace fcgi
