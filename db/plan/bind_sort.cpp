#include "db/plan/binder.hpp"

namespace db {

using Pass = Refusals::Pass;

void Binder::sort(parser::Selection const& selection, ContentType const& type,
                  std::vector<SortColumn>& columns) {
    refusals_.begin_parameter();
    if (selection.sort_invalid) refusals_.value(*selection.sort_invalid);
    for (parser::SortKey const& key : selection.sort) {
        At const at(*this, "sort");
        if (auto column = sort_column(key, type)) columns.push_back(*std::move(column));
        if (key.invalid) refusals_.value(*key.invalid);
    }
}

std::optional<SortColumn> Binder::sort_column(parser::SortKey const& key, ContentType const& type) {
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
            if (last && current->find_by_column(name))
                wrong("an attribute's name");
            else
                refuse(Pass::unknown, name);
            return std::nullopt;
        }
        if (attribute->type == AttributeType::dynamic_zone)
            refuse(Pass::zone, name);
        else if (attribute->is_polymorphic())
            refuse(Pass::morph, name);
        if (attribute->is_hidden())
            refuse(Pass::hidden, name);
        else if (!attribute->is_scalar() && last)
            refuse(Pass::shape, key.direction.empty() ? name : key.direction);
        else if (!is_permitted(*attribute))
            refuse(Pass::unpermitted, name);

        if (attribute->is_scalar()) {
            if (!last) {
                wrong("a path that ends at an attribute with a value");
                return std::nullopt;
            }
            sort.column = attribute->column;
            return sort;
        }
        if (over(i + 1 > limits_.filter_hops, &parser::Limits::filter_hops) ||
            over(i + 1 > limits_.sort_hops, &parser::Limits::sort_hops))
            return std::nullopt;
        if (!attribute->target) return std::nullopt;
        sort.hops.push_back({&attribute->link, attribute->target});
        current = attribute->target;
    }
    return std::nullopt;
}

} // namespace db
