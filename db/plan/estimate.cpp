#include "db/plan/estimate.hpp"

namespace db {

namespace {

constexpr std::size_t usual_hops = 40;
constexpr std::size_t usual_nodes = 200;

std::size_t hops_of(Condition const& condition) {
    std::size_t hops = condition.kind == Condition::Kind::related ? 1 : 0;
    for (Condition const& member : condition.members)
        hops += hops_of(member);
    return hops;
}

} // namespace

bool looks_expensive(ReadPlan const& plan) {
    std::size_t hops = 0;
    for (Node const& node : plan.nodes) {
        hops += hops_of(node.where);
        for (SortColumn const& column : node.sort)
            hops += column.hops.size();
    }
    return hops > usual_hops || plan.nodes.size() > usual_nodes;
}

} // namespace db
