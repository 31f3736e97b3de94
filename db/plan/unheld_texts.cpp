#include "db/plan/unheld_texts.hpp"

#include "db/schema/columns.hpp"

#include <algorithm>
#include <utility>
#include <variant>

namespace db {

namespace {

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
    Condition none{.kind = Condition::Kind::none_of};
    none.members.push_back(std::move(condition));
    condition = std::move(none);
}

void replace_in(Condition& condition, ContentType const& type) {
    if (condition.kind == Condition::Kind::comparison) return replace_comparison(condition, type);
    ContentType const& of_members = condition.target ? *condition.target : type;
    for (Condition& member : condition.members)
        replace_in(member, of_members);
}

} // namespace

void replace_unheld_texts(ReadPlan& plan) {
    for (Node& node : plan.nodes)
        if (node.type) replace_in(node.where, *node.type);
}

} // namespace db
