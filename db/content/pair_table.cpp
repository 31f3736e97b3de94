#include "db/content/pair_table.hpp"

namespace db {

namespace {

std::string inverse_order_of(Attribute const& owning) {
    auto const* other = owning.is_polymorphic() ? nullptr : owning.other_side();
    return other ? other->link.order_column : std::string();
}

std::vector<std::string> columns_of(Attribute const& owning, std::string const& inverse_order) {
    auto const& link = owning.link;
    std::vector<std::string> columns{link.parent_column, link.target_column};
    if (owning.is_polymorphic()) columns.insert(columns.end(), {link.target_type_column, "field"});
    for (auto const& column : {link.order_column, inverse_order})
        if (!column.empty()) columns.push_back(column);
    return columns;
}

void append_position(Insertion::Row& row, std::optional<double> place) {
    if (place)
        row.next().number(*place);
    else
        row.next() << "NULL";
}

} // namespace

PairTable::PairTable(Connection& connection, Mistakes& mistakes, Attribute const& owning)
    : connection_(connection),
      owning_(owning),
      inverse_order_(inverse_order_of(owning)),
      insertion_(connection, mistakes, owning.link.table, columns_of(owning, inverse_order_)) {
}

parser::Result<void> PairTable::add(Pair const& pair, Origin const& place) {
    if (owning_.link.place != Link::Storage::table) return update(pair);
    auto row = insertion_.row(place);
    if (!row) return row.error();
    row->next().integer(pair.owner);
    row->next().integer(pair.target);
    if (owning_.is_polymorphic()) {
        row->next().text(pair.target_type);
        if (pair.field.empty())
            row->next() << "NULL";
        else
            row->next().text(pair.field);
        // Both sides share the column.
        append_position(*row, pair.inverse ? pair.inverse : pair.position);
        return {};
    }
    if (!owning_.link.order_column.empty()) append_position(*row, pair.position);
    if (!inverse_order_.empty()) append_position(*row, pair.inverse);
    return {};
}

parser::Result<void> PairTable::update(Pair const& pair) {
    auto const& link = owning_.link;
    SqlText sql;
    (sql << "UPDATE ").name(link.table) << " SET ";
    (sql.name(link.target_column) << " = ").integer(pair.target);
    if (owning_.is_polymorphic())
        ((sql << ", ").name(link.target_type_column) << " = ").text(pair.target_type);
    (sql << " WHERE `id` = ").integer(pair.owner);
    return connection_.command(sql);
}

} // namespace db
