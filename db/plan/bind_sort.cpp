#include "db/plan/bind_sort.hpp"

namespace db {

using Pass = Refusals::Pass;
using parser::Place;

namespace {

bool is_too_far(BindContext& context, std::size_t hops) {
    parser::Limits const& limits = context.limits;
    return context.is_over(hops > limits.filter_hops, &parser::Limits::filter_hops) ||
           context.is_over(hops > limits.sort_hops, &parser::Limits::sort_hops);
}

std::optional<SortColumn> sort_column(BindContext& context, parser::SortKey const& key,
                                      ContentType const& type, Place const& place) {
    SortColumn sort{.hops = {}, .column = {}, .descending = key.descending};
    ContentType const* current = &type;
    for (std::size_t i = 0; i < key.path.size(); ++i) {
        std::string const& name = key.path[i];
        bool const last = i + 1 == key.path.size();
        if (name == "id" && last) {
            sort.column = "id";
            return sort;
        }
        Attribute const* attribute = current->find(name);
        if (!attribute) {
            if (context.rules.sorts_by_status && name == "status" && type.draft_and_publish)
                return std::nullopt;
            if (last && current->find_by_column(name))
                context.expect("an attribute's name", place);
            else
                context.refuse(Pass::unknown, name, place);
            return std::nullopt;
        }
        context.check_use(*attribute, place);
        if (last && !attribute->is_scalar())
            context.refuse(Pass::shape, key.direction.empty() ? name : key.direction, place);
        if (attribute->is_scalar()) {
            if (!last) {
                context.expect("a path that ends at an attribute with a value", place);
                return std::nullopt;
            }
            sort.column = attribute->column;
            return sort;
        }
        if (is_too_far(context, i + 1) || !attribute->target) return std::nullopt;
        sort.hops.push_back({&attribute->link, attribute->target});
        current = attribute->target;
    }
    return std::nullopt;
}

parser::Checked<parser::SortKey> const& as_walked(parser::Checked<parser::SortKey> const& key,
                                                  ContentType const& type) {
    auto const& [path, descending, direction, walked] = key.unchecked();
    if (walked.empty() || path.empty()) return key;
    Attribute const* first = type.find(path.front());
    return first && first->target ? walked.front() : key;
}

} // namespace

std::vector<SortColumn> bind_sort(BindContext& context, parser::Selection const& selection,
                                  ContentType const& type, Place const& place) {
    context.refusals.begin_parameter();
    Place const here{&place, "sort"};
    std::vector<SortColumn> columns;
    for (parser::Checked<parser::SortKey> const& written : context.use(selection.sort)) {
        auto const& key = as_walked(written, type);
        // Errors of its path come before those of its direction.
        if (auto column = sort_column(context, key.unchecked(), type, here))
            columns.push_back(*std::move(column));
        context.use(key);
    }
    return columns;
}

} // namespace db
