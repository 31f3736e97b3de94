#include "db/plan/condition.hpp"

#include <algorithm>

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

} // namespace

Truth on_nulls(Condition const& condition) {
    switch (condition.kind) {
    case Condition::Kind::comparison:
        return comparison_on_nulls(condition);
    case Condition::Kind::any_of: {
        Truth truth = Truth::no;
        for (Condition const& member : condition.members)
            truth = std::max(truth, on_nulls(member));
        return truth;
    }
    case Condition::Kind::version:
        return Truth::no;
    // The link of a NULL row finds nothing, so the related row is all NULL again.
    case Condition::Kind::related:
    case Condition::Kind::none_of:
    case Condition::Kind::all_of:
        break;
    }
    Truth truth = Truth::yes;
    for (Condition const& member : condition.members)
        truth = std::min(truth, on_nulls(member));
    return condition.kind == Condition::Kind::none_of ? negated(truth) : truth;
}

void require(Condition& all, Condition condition) {
    if (condition.always_true()) return;
    if (condition.kind == Condition::Kind::all_of)
        std::ranges::move(condition.members, std::back_inserter(all.members));
    else
        all.members.push_back(std::move(condition));
}

} // namespace db
