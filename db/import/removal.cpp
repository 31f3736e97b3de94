#include "db/import/removal.hpp"

#include "db/import/cells.hpp"
#include "db/import/record.hpp"

#include <algorithm>
#include <map>

namespace db {

namespace {

SqlText& in(SqlText& sql, std::string const& column, Removal::Ids const& ids) {
    sql.name(column) << " IN (";
    for (std::size_t i = 0; i < ids.size(); ++i)
        (i > 0 ? sql << ", " : sql).integer(ids[i]);
    return sql << ")";
}

// Calls `remove` with as many ids at a time as suit one statement.
template<class Remove>
parser::Result<void> by_chunks(Removal::Ids const& ids, Remove const& remove) {
    constexpr std::ptrdiff_t most = 500;
    for (auto first = ids.begin(); first != ids.end();) {
        auto const last = first + std::min(most, ids.end() - first);
        if (auto done = remove(Removal::Ids(first, last)); !done) return done;
        first = last;
    }
    return {};
}

} // namespace

Removal::Removal(Connection& connection, Schema const& schema, Names names)
    : connection_(connection), schema_(schema) {
    if (names == Names::wait) return;
    for (auto const& [uid, type] : schema.types)
        for (auto const& attribute : type->attributes)
            if (attribute.owns_link && attribute.is_polymorphic() && !is_part(attribute))
                naming_.push_back(&attribute.link);
}

parser::Result<void> Removal::rows(ContentType const& type, Ids const& ids) {
    return by_chunks(ids, [&](Ids const& chunk) { return remove_rows(type, chunk); });
}

parser::Result<void> Removal::parts_of(ContentType const& type, Ids const& ids) {
    return by_chunks(ids, [&](Ids const& chunk) { return remove_parts(type, chunk); });
}

parser::Result<void> Removal::remove_rows(ContentType const& type, Ids const& ids) {
    if (auto done = remove_parts(type, ids); !done) return done;
    if (auto done = forget(type, ids); !done) return done;
    SqlText sql;
    (sql << "DELETE FROM ").name(type.table) << " WHERE ";
    return connection_.command(in(sql, "id", ids));
}

parser::Result<void> Removal::remove_parts(ContentType const& type, Ids const& ids) {
    auto const part = std::ranges::find_if(type.attributes, is_part);
    if (part == type.attributes.end()) return {};
    auto const& link = part->link;
    SqlText sql;
    (sql << "SELECT ").name(link.target_column) << ", `component_type` FROM ";
    sql.name(link.table) << " WHERE ";
    std::map<std::string, Ids> parts;
    {
        auto rows = connection_.query(in(sql, link.parent_column, ids));
        if (!rows) return rows.error();
        while (rows->next()) {
            auto const id = integer_cell(rows->text(0));
            parts[std::string(rows->text(1))].push_back(id);
        }
    }
    SqlText pairs;
    (pairs << "DELETE FROM ").name(link.table) << " WHERE ";
    if (auto done = connection_.command(in(pairs, link.parent_column, ids)); !done) return done;
    for (auto const& [uid, part_ids] : parts)
        if (auto const* component = schema_.find(uid))
            if (auto done = rows(*component, part_ids); !done) return done;
    return {};
}

// Removes the pairs that name the rows by their type.
parser::Result<void> Removal::forget(ContentType const& type, Ids const& ids) {
    for (auto const* link : naming_) {
        SqlText sql;
        if (link->place == Link::Place::table) {
            (sql << "DELETE FROM ").name(link->table);
        } else {
            (sql << "UPDATE ").name(link->table) << " SET ";
            sql.name(link->target_column) << " = NULL, ";
            sql.name(link->target_type_column) << " = NULL";
        }
        ((sql << " WHERE ").name(link->target_type_column) << " = ").text(type.uid) << " AND ";
        if (auto done = connection_.command(in(sql, link->target_column, ids)); !done) return done;
    }
    return {};
}

} // namespace db
