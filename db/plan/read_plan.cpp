#include "db/plan/read_plan.hpp"

#include "db/schema/columns.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace db {

namespace {

Truth negated(Truth truth) {
    if (truth == Truth::unknown) return truth;
    return truth == Truth::yes ? Truth::no : Truth::yes;
}

Truth comparison_on_nulls(Condition const& condition) {
    switch (condition.comparator) {
    case Comparator::is_null:
        return Truth::yes;
    case Comparator::is_not_null:
        return Truth::no;
    // Without values these are written as the constants 1 = 0 and 1 = 1.
    case Comparator::in:
        return condition.values.empty() ? Truth::no : Truth::unknown;
    case Comparator::not_in:
        return condition.values.empty() ? Truth::yes : Truth::unknown;
    default:
        return Truth::unknown;
    }
}

constexpr std::size_t usual_hops = 40;
constexpr std::size_t usual_nodes = 200;

std::size_t hops_of(Condition const& condition) {
    std::size_t hops = condition.kind == ConditionKind::related ? 1 : 0;
    for (Condition const& member : condition.members)
        hops += hops_of(member);
    return hops;
}

bool is_negative(Comparator comparator) {
    switch (comparator) {
    case Comparator::ne:
    case Comparator::not_in:
    case Comparator::not_like:
    case Comparator::not_likei:
    case Comparator::nei:
        return true;
    default:
        return false;
    }
}

bool is_list(Comparator comparator) {
    return comparator == Comparator::in || comparator == Comparator::not_in;
}

// In a list the other values count on.
void replace_comparison(Condition& condition, ContentType const& type) {
    Attribute const* attribute = type.find_by_column(condition.column);
    if (!attribute || attribute->repertoire == Repertoire::unicode) return;
    auto const is_unheld = [&](Literal const& value) {
        auto const* text = std::get_if<std::string>(&value);
        return text && !holds(attribute->repertoire, *text);
    };
    if (std::ranges::none_of(condition.values, is_unheld)) return;
    std::erase_if(condition.values, is_unheld);
    if (is_list(condition.comparator) && !condition.values.empty()) return;
    bool const negates = is_negative(condition.comparator);
    condition.comparator = Comparator::never;
    condition.values.clear();
    if (!negates) return;
    Condition none{.kind = ConditionKind::none_of};
    none.members.push_back(std::move(condition));
    condition = std::move(none);
}

void replace_in(Condition& condition, ContentType const& type) {
    if (condition.kind == ConditionKind::comparison) return replace_comparison(condition, type);
    ContentType const& of_members = condition.target ? *condition.target : type;
    for (Condition& member : condition.members)
        replace_in(member, of_members);
}

} // namespace

Truth on_nulls(Condition const& condition) {
    switch (condition.kind) {
    case ConditionKind::comparison:
        return comparison_on_nulls(condition);
    case ConditionKind::any_of: {
        Truth truth = Truth::no;
        for (Condition const& member : condition.members)
            truth = std::max(truth, on_nulls(member));
        return truth;
    }
    case ConditionKind::version:
        return Truth::no;
    // The link of a NULL row finds nothing, so the related row is all NULL again.
    case ConditionKind::related:
    case ConditionKind::none_of:
    case ConditionKind::all_of:
        break;
    }
    Truth truth = Truth::yes;
    for (Condition const& member : condition.members)
        truth = std::min(truth, on_nulls(member));
    return condition.kind == ConditionKind::none_of ? negated(truth) : truth;
}

void require(Condition& all, Condition condition) {
    if (condition.always_true()) return;
    if (condition.kind == ConditionKind::all_of)
        std::ranges::move(condition.members, std::back_inserter(all.members));
    else
        all.members.push_back(std::move(condition));
}

bool looks_expensive(ReadPlan const& plan) {
    std::size_t hops = 0;
    for (Node const& node : plan.nodes) {
        hops += hops_of(node.where);
        for (SortColumn const& column : node.sort)
            hops += column.hops.size();
    }
    return hops > usual_hops || plan.nodes.size() > usual_nodes;
}

void replace_unheld_texts(ReadPlan& plan) {
    for (Node& node : plan.nodes)
        if (node.type) replace_in(node.where, *node.type);
}

} // namespace db
