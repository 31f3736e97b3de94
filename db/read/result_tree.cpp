#include "db/read/result_tree.hpp"

#include <algorithm>
#include <tuple>

namespace db {

void Rows::arrange(bool reverse, bool sorted) {
    auto const group = [](Row const& row) { return std::tie(row.parent, row.slot); };
    if (sorted) {
        std::ranges::stable_sort(rows, {}, group);
        return;
    }
    std::ranges::sort(rows, [&](Row const& a, Row const& b) {
        if (group(a) != group(b)) return group(a) < group(b);
        if (a.order != b.order) return reverse ? a.order > b.order : a.order < b.order;
        return std::tie(a.target, a.id) < std::tie(b.target, b.id);
    });
    auto const repeated = std::ranges::unique(rows, [&](Row const& a, Row const& b) {
        return group(a) == group(b) && a.order == b.order && a.target == b.target && a.id == b.id;
    });
    rows.erase(repeated.begin(), repeated.end());
}

std::span<Row const> Rows::of(std::uint64_t parent, std::uint32_t slot) const {
    auto const found =
        std::ranges::equal_range(rows, std::tuple(parent, slot), {},
                                 [](Row const& row) { return std::tuple(row.parent, row.slot); });
    return {found.begin(), found.end()};
}

} // namespace db
