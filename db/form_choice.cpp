#include "db/form_choice.hpp"

namespace db {

namespace {

constinit FormChoice choice;

// Each opens its tables anew.
constexpr std::size_t most_branches = 100;

std::uint64_t kind_of(SelectedPlan const& plan, std::uint32_t node) {
    return plan.shape + node;
}

} // namespace

Form choose_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Forms forms) {
    Form const other = other_form(plan.nodes[node]);
    if (other == Form::usual || forms == Forms::usual || parents > most_branches)
        return Form::usual;
    bool const is_best =
        forms == Forms::other || choice.prefers_other(kind_of(plan, node), parents);
    return is_best ? other : Form::usual;
}

void note_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Form form,
               FormChoice::Time time) {
    if (other_form(plan.nodes[node]) == Form::usual) return;
    if (form == Form::usual)
        choice.note_usual(kind_of(plan, node), time, parents);
    else
        choice.note_other(kind_of(plan, node), time, parents);
}

std::chrono::milliseconds patience(SelectedPlan const& plan, std::uint32_t node,
                                   std::size_t parents) {
    return choice.patience(kind_of(plan, node), parents);
}

} // namespace db
