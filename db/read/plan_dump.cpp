#include "db/read/plan_dump.hpp"

#include "db/read/condition_sql.hpp"

namespace db {

namespace {

using Source = Node::Source;

std::string_view name_of(Source source) {
    switch (source) {
    case Source::root:
        return "root";
    case Source::link:
        return "link";
    case Source::pairs:
        return "pairs";
    case Source::target:
        break;
    }
    return "target";
}

void append_names(std::string& out, Node const& node) {
    for (std::size_t i = 0; i < node.slots.size(); ++i)
        out.append(i == 0 ? " " : ",").append(node.slots[i]->name);
    if (node.type) out.append(" ").append(node.type->uid);
}

void append_node(std::string& out, ReadPlan const& plan, std::uint32_t index, unsigned depth) {
    Node const& node = plan.nodes[index];
    out.append("node ").append(std::to_string(index)).append(1 + 2 * depth, ' ');
    out.append(name_of(node.source));
    append_names(out, node);
    if (!node.columns.empty()) out += " fields";
    for (std::size_t i = 0; i < node.columns.size(); ++i)
        out.append(i == 0 ? " " : ",").append(node.columns[i]->name);
    if (!node.where.always_true()) {
        SqlText where;
        Aliases aliases;
        append_condition(where, node.where, 0, aliases);
        out.append(" where ").append(where.str());
    }
    for (SortColumn const& sort : node.sort)
        out.append(" sort ").append(sort.column).append(sort.descending ? " desc" : "");
    if (node.start) out.append(" start ").append(std::to_string(*node.start));
    if (node.limit) out.append(" limit ").append(std::to_string(*node.limit));
    if (node.count) out += " count";
    out += '\n';
    for (std::uint32_t below = index + 1; below < plan.nodes.size(); ++below)
        if (plan.nodes[below].parent == index) append_node(out, plan, below, depth + 1);
}

} // namespace

std::string dump(ReadPlan const& plan) {
    std::string out;
    append_node(out, plan, 0, 0);
    return out;
}

} // namespace db
