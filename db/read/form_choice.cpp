#include "db/read/form_choice.hpp"

namespace db {

namespace {

constinit FormChoice choice;

// Each branch opens its tables anew.
constexpr std::size_t most_branches = 100;

} // namespace

Form choose_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Forms forms) {
    Form const other = plan.other_form(node);
    if (other == Form::usual || forms == Forms::usual || parents > most_branches)
        return Form::usual;
    bool const is_best = forms == Forms::other || choice.prefers_other(plan.kind(node), parents);
    return is_best ? other : Form::usual;
}

void note_form(SelectedPlan const& plan, std::uint32_t node, std::size_t parents, Form form,
               FormChoice::Time time) {
    if (plan.other_form(node) == Form::usual) return;
    if (form == Form::usual)
        choice.note_usual(plan.kind(node), time, parents);
    else
        choice.note_other(plan.kind(node), time, parents);
}

bool usual_finishes(SelectedPlan const& plan, std::uint32_t node) {
    return choice.usual_finishes(plan.kind(node));
}

std::chrono::milliseconds patience(SelectedPlan const& plan, std::uint32_t node,
                                   std::size_t parents) {
    return choice.patience(plan.kind(node), parents);
}

} // namespace db
