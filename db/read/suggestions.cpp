#include "db/read/suggestions.hpp"

#include <algorithm>
#include <functional>
#include <span>

namespace db {

namespace {

// A unique index finds the one row if each of its columns is compared with one value.
bool serves(ExistingIndex const& existing, WantedIndex const& wanted) {
    if (serves(existing.index, wanted)) return true;
    auto const equal = std::span(wanted.index.columns).first(wanted.equalities);
    return existing.is_unique && existing.index.table == wanted.index.table &&
           std::ranges::all_of(existing.index.columns, [&](IndexColumn const& column) {
               return std::ranges::find(equal, column.name, &IndexColumn::name) != equal.end();
           });
}

} // namespace

void Suggestions::add(ReadPlan const& plan, std::uint64_t asked, std::string const& example) {
    auto wanted = wanted_by(plan);
    std::ranges::sort(wanted); // a plan may want an index more than once
    auto const again = std::ranges::unique(wanted);
    wanted.erase(again.begin(), again.end());
    for (WantedIndex& one : wanted) {
        auto const use = std::ranges::find(uses_, one, &Use::wanted);
        if (use == uses_.end())
            uses_.push_back({std::move(one), asked, example});
        else
            use->asked += asked;
    }
}

std::vector<Suggestion> Suggestions::least(std::vector<ExistingIndex> const& existing) const {
    auto uses = uses_;
    // One serves only those that have no more columns.
    std::ranges::sort(uses, [](Use const& left, Use const& right) {
        auto const longer = left.wanted.index.columns.size() <=> right.wanted.index.columns.size();
        return longer != 0 ? longer > 0 : left.wanted < right.wanted;
    });
    std::vector<Suggestion> least;
    for (auto const& [wanted, asked, example] : uses) {
        if (std::ranges::any_of(existing,
                                [&](ExistingIndex const& one) { return serves(one, wanted); }))
            continue;
        auto const served = std::ranges::find_if(
            least, [&](Suggestion const& one) { return serves(one.index, wanted); });
        if (served == least.end())
            least.push_back({wanted.index, asked, example});
        else
            served->asked += asked;
    }
    std::ranges::stable_sort(least, std::greater(), &Suggestion::asked);
    return least;
}

} // namespace db
