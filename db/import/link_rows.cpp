#include "db/import/link_table.hpp"

#include "db/import/cells.hpp"

#include <algorithm>
#include <tuple>
#include <type_traits>

// Reads the rows of pairs of entries that existed, and writes new ones.

namespace db {

namespace {

void name_or_null(SqlText& sql, std::string const& column) {
    if (column.empty())
        sql << "NULL";
    else
        sql.name(column);
}

// Appends the condition for the rows that hold pairs of these lists, as the link sees them.
template<class Lists>
void add_condition(SqlText& sql, Link const& link, Lists const& lists) {
    (sql.name(link.target_column) << " IS NOT NULL AND ").name(link.parent_column) << " IN (";
    bool first = true;
    for (auto const* list : lists) {
        if (!first) sql << ", ";
        first = false;
        sql.integer(list->id);
    }
    sql << ")";
    if (!link.parent_type_column.empty())
        ((sql << " AND ").name(link.parent_type_column) << " = ").text(link.parent_type);
    if (!link.field_column.empty())
        ((sql << " AND ").name(link.field_column) << " = ").text(link.field);
}

// Selects id, target, the target's type and order, sorted by order.
template<class Lists>
SqlText select_stored(Link const& link, Lists const& lists) {
    SqlText sql;
    (sql << "SELECT ").name(link.parent_column) << ", ";
    sql.name(link.target_column) << ", ";
    name_or_null(sql, link.target_type_column);
    name_or_null(sql << ", ", link.order_column);
    (sql << " FROM ").name(link.table) << " WHERE ";
    add_condition(sql, link, lists);
    name_or_null(sql << " ORDER BY ", link.order_column);
    return sql << ", `id`";
}

// Calls `each` with groups of at most `most` of the lists that `is_one` accepts, by condition.
template<class Lists, class IsOne, class Each>
parser::Result<void> by_condition(Lists& lists, IsOne const& is_one, Each const& each) {
    constexpr std::size_t most = 500; // ids in a statement
    using List = std::remove_reference_t<decltype(*std::begin(lists))>;
    std::map<std::tuple<int, std::uint32_t>, std::vector<List*>> groups;
    for (auto& list : lists) {
        if (!is_one(list)) continue;
        auto& group = groups[{list.side, list.kind}];
        group.push_back(&list);
        if (group.size() < most) continue;
        if (auto done = each(group); !done) return done;
        group.clear();
    }
    for (auto const& [condition, group] : groups)
        if (!group.empty())
            if (auto done = each(group); !done) return done;
    return {};
}

} // namespace

parser::Result<void> LinkTable::read_stored(Connection& connection) {
    return by_condition(
        lists_, [&](List const& list) { return list.existed && attribute_of(list); },
        [&](std::vector<List*> const& lists) { return read_stored(connection, lists); });
}

parser::Result<void> LinkTable::read_stored(Connection& connection,
                                            std::vector<List*> const& lists) {
    std::unordered_map<std::uint64_t, List*> by_id;
    for (auto* list : lists)
        by_id.emplace(list->id, list);
    auto rows = connection.query(select_stored(attribute_of(*lists.front())->link, lists));
    if (!rows) return rows.error();
    while (rows->next()) {
        auto& list = *by_id.at(integer_cell(rows->text(0)));
        std::string item(rows->text(1));
        if (auto const type = rows->text(2); type.data()) item = std::string(type) + ' ' + item;
        list.stored.push_back(std::move(item));
        list.orders.push_back(number_cell(rows->text(3)));
    }
    return {};
}

parser::Result<void> LinkTable::delete_changed(Connection& connection) const {
    return by_condition(
        lists_, [](List const& list) { return list.is_changed && !list.stored.empty(); },
        [&](std::vector<List const*> const& lists) { return delete_changed(connection, lists); });
}

parser::Result<void> LinkTable::delete_changed(Connection& connection,
                                               std::vector<List const*> const& lists) const {
    auto const& link = owning_.link;
    SqlText sql;
    if (link.place == Link::Place::table) {
        (sql << "DELETE FROM ").name(link.table) << " WHERE ";
    } else {
        (sql << "UPDATE ").name(link.table) << " SET ";
        sql.name(link.target_column) << " = NULL";
        if (owning_.is_polymorphic()) (sql << ", ").name(link.target_type_column) << " = NULL";
        sql << " WHERE ";
    }
    add_condition(sql, attribute_of(*lists.front())->link, lists);
    return connection.command(sql);
}

parser::Result<void> LinkTable::insert_rows(Connection& connection, Mistakes& mistakes) const {
    auto const& link = owning_.link;
    bool const is_polymorphic = owning_.is_polymorphic();
    auto const& other_order = other_ ? other_->link.order_column : std::string();
    std::vector<std::string> columns{link.parent_column, link.target_column};
    if (is_polymorphic) columns.insert(columns.end(), {link.target_type_column, "field"});
    for (auto const& column : {link.order_column, other_order})
        if (!column.empty()) columns.push_back(column);

    Insertion insertion(connection, mistakes, link.table, columns);
    Origin const place{"relation " + type_.uid + ' ' + owning_.name};
    for (auto const& pair : pairs_) {
        if (!pair.is_new) continue;
        auto row = insertion.row(place);
        if (!row) return row.error();
        row->next().integer(pair.id[owner]);
        row->next().integer(pair.id[target]);
        if (is_polymorphic) {
            row->next().text(kinds_[pair.kind].type);
            auto const& field = kinds_[pair.kind].field;
            if (field.empty())
                row->next() << "NULL";
            else
                row->next().text(field);
            // Both sides share the column.
            row->next().number(pair.order[pair.listed[target] > 0 ? target : owner]);
            continue;
        }
        if (!link.order_column.empty()) row->next().number(pair.order[owner]);
        if (!other_order.empty()) row->next().number(pair.order[target]);
    }
    return insertion.flush();
}

// Writes pairs into the owners' own rows.
parser::Result<void> LinkTable::update_rows(Connection& connection) const {
    auto const& link = owning_.link;
    for (auto const& pair : pairs_) {
        if (!pair.is_new) continue;
        SqlText sql;
        (sql << "UPDATE ").name(link.table) << " SET ";
        (sql.name(link.target_column) << " = ").integer(pair.id[target]);
        if (owning_.is_polymorphic())
            ((sql << ", ").name(link.target_type_column) << " = ").text(kinds_[pair.kind].type);
        (sql << " WHERE `id` = ").integer(pair.id[owner]);
        if (auto done = connection.command(sql); !done) return done;
    }
    return {};
}

} // namespace db
