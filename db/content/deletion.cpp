#include "db/content/deletion.hpp"

#include "db/content/contents.hpp"
#include "db/content/record.hpp"
#include "db/content/value.hpp"
#include "db/mysql/sql_text.hpp"

#include <algorithm>
#include <set>
#include <string_view>

namespace db {

namespace {

bool has_own_pairs(Attribute const& attribute) {
    return attribute.owns_link && !is_part(attribute) &&
           attribute.link.storage == Link::Storage::table;
}

SqlText& not_in(SqlText& sql, std::string const& column, std::string const& table) {
    sql.name(column) << " NOT IN (SELECT `id` FROM ";
    return sql.name(table) << ")";
}

parser::Result<void> clear(Connection& connection, std::string const& table) {
    return connection.command(SqlText("DELETE FROM ").name(table));
}

// Deletes the pairs of one attribute with the types that are replaced.
parser::Result<void> delete_pairs(Connection& connection, Attribute const& attribute,
                                  ReplacedTypes const& replaced) {
    auto const& link = attribute.link;
    if (attribute.target && !replaced.contains(*attribute.target)) return {};
    if (replaced.are_all || attribute.target) return clear(connection, link.table);
    for (ContentType const* target : replaced.types) {
        SqlText sql;
        (sql << "DELETE FROM ").name(link.table) << " WHERE ";
        (sql.name(link.target_type_column) << " = ").text(target->uid);
        if (auto done = connection.command(sql); !done) return done;
    }
    return {};
}

// Deletes the rows of all types of the site. The components have no other.
parser::Result<void> clear_site(Connection& connection, Schema const& schema,
                                ReplacedTypes const& replaced) {
    for (auto const& [uid, type] : schema.types) {
        parser::Result<void> done;
        if (is_component(*type) || replaced.contains(*type)) done = clear(connection, type->table);
        if (auto const* parts = parts_of(*type); done && parts)
            done = clear(connection, parts->table);
        if (!done) return done;
    }
    return {};
}

parser::Result<Ids> ids_of(Connection& connection, ContentType const& type) {
    auto rows = connection.query(SqlText("SELECT `id` FROM ").name(type.table));
    if (!rows) return rows.error();
    Ids ids;
    while (rows->next())
        ids.push_back(rows->id(0));
    return ids;
}

// Deletes the rows of the types; others share the tables of their components.
parser::Result<void> delete_entries(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced) {
    for (auto const* type : replaced.types) {
        auto const ids = ids_of(connection, *type);
        if (!ids) return ids.error();
        if (auto done = delete_rows(connection, schema, *type, *ids); !done) return done;
    }
    return {};
}

// Deletes the components of these rows.
parser::Result<void> delete_parts(Connection& connection, Schema const& schema,
                                  ContentType const& type, Ids const& ids) {
    auto const* link = parts_of(type);
    if (!link) return {};
    SqlText sql;
    (sql << "SELECT ").name(link->target_column) << ", `component_type` FROM ";
    sql.name(link->table) << " WHERE ";
    std::map<std::string, Ids> parts;
    {
        auto rows = connection.query(in(sql, link->parent_column, ids));
        if (!rows) return rows.error();
        while (rows->next()) {
            auto const id = rows->id(0);
            parts[std::string(rows->text(1))].push_back(id);
        }
    }
    SqlText pairs("DELETE FROM ");
    in(pairs.name(link->table) << " WHERE ", link->parent_column, ids);
    if (auto done = connection.command(pairs); !done) return done;
    for (auto const& [uid, part_ids] : parts)
        if (auto const* component = schema.find(uid))
            if (auto done = delete_rows(connection, schema, *component, part_ids); !done)
                return done;
    return {};
}

// Deletes pairs whose target is not there.
parser::Result<void> delete_lost_targets(Connection& connection, Schema const& schema,
                                         Attribute const& attribute,
                                         ReplacedTypes const& replaced) {
    auto const& link = attribute.link;
    for (auto const& [uid, type] : schema.types) {
        if (attribute.target ? attribute.target != type.get()
                             : !replaced.contains(*type) && !is_component(*type))
            continue;
        auto sql = without_pairs(attribute);
        if (attribute.is_polymorphic())
            (sql.name(link.target_type_column) << " = ").text(uid) << " AND ";
        not_in(sql, link.target_column, type->table);
        if (auto done = connection.command(sql); !done) return done;
    }
    return {};
}

bool has_own_column(Attribute const& attribute) {
    return attribute.owns_link && attribute.link.storage == Link::Storage::parent_column;
}

void append(SqlText& sql, std::optional<std::string> const& value) {
    if (value)
        sql.text(*value);
    else
        sql << "NULL";
}

// Appends the column, which is NULL if its row is replaced, too.
void select_reference(SqlText& sql, Link const& link, std::string const& column,
                      ReplacedTypes const& replaced) {
    in(sql << ", CASE WHEN ", link.target_type_column, replaced);
    (sql << " THEN NULL ELSE ").name(column) << " END";
}

} // namespace

SqlText& in(SqlText& sql, std::string const& column, std::span<std::uint64_t const> ids) {
    SqlText list;
    for (auto const id : ids)
        next_value(list).integer(id);
    return sql.name(column) << " IN (" << list << ")";
}

SqlText& in(SqlText& sql, std::string const& column, ReplacedTypes const& replaced) {
    sql.name(column) << " IN (NULL";
    for (auto const* type : replaced.types)
        (sql << ", ").text(type->uid);
    return sql << ")";
}

SqlText without_pairs(Attribute const& attribute) {
    auto const& link = attribute.link;
    SqlText sql;
    if (link.storage == Link::Storage::table) {
        (sql << "DELETE FROM ").name(link.table);
    } else {
        (sql << "UPDATE ").name(link.table) << " SET ";
        sql.name(link.target_column) << " = NULL";
        if (attribute.is_polymorphic()) (sql << ", ").name(link.target_type_column) << " = NULL";
    }
    sql << " WHERE ";
    return sql;
}

parser::Result<void> delete_rows(Connection& connection, Schema const& schema,
                                 ContentType const& type, Ids const& ids) {
    return by_chunks(ids, [&](Ids const& chunk) -> parser::Result<void> {
        if (auto done = delete_parts(connection, schema, type, chunk); !done) return done;
        SqlText sql("DELETE FROM ");
        return connection.command(in(sql.name(type.table) << " WHERE ", "id", chunk));
    });
}

parser::Result<void> delete_content(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced) {
    // Rows are deleted in any order, and pairs that stay may wait for their rows.
    auto done = connection.command(SqlPiece("SET SESSION foreign_key_checks = 0"));
    if (done)
        done = replaced.are_all ? clear_site(connection, schema, replaced)
                                : delete_entries(connection, schema, replaced);
    if (!done) return done;
    return connection.command(SqlPiece("SET SESSION foreign_key_checks = 1"));
}

parser::Result<void> delete_pairs(Connection& connection, Schema const& schema,
                                  ReplacedTypes const& replaced) {
    for (auto const& [uid, type] : schema.types) {
        // A part of a site never has the pairs of components.
        bool const is_replaced = is_component(*type) ? replaced.are_all : replaced.contains(*type);
        for (auto const& attribute : type->attributes) {
            if (!is_replaced || !has_own_pairs(attribute)) continue;
            if (auto done = delete_pairs(connection, attribute, replaced); !done) return done;
        }
    }
    return {};
}

parser::Result<void> delete_lost_pairs(Connection& connection, Schema const& schema,
                                       ReplacedTypes const& replaced) {
    for (auto const& [uid, type] : schema.types) {
        if (!is_exported(uid)) continue;
        bool const may_be_gone = replaced.contains(*type) || is_component(*type);
        for (auto const& attribute : type->attributes) {
            bool const is_pair = attribute.owns_link && !is_part(attribute) &&
                                 attribute.link.storage != Link::Storage::none;
            bool const is_new =
                replaced.are_all && (!attribute.target || replaced.contains(*attribute.target));
            if (!is_pair || is_new) continue;
            if (may_be_gone && attribute.link.storage == Link::Storage::table) {
                auto sql = without_pairs(attribute);
                not_in(sql, attribute.link.parent_column, type->table);
                if (auto done = connection.command(sql); !done) return done;
            }
            bool const has_others = attribute.target && !replaced.contains(*attribute.target);
            if (replaced.are_all || has_others) continue;
            auto done = delete_lost_targets(connection, schema, attribute, replaced);
            if (!done) return done;
        }
    }
    return {};
}

bool RetainedValues::is_time(ContentType const& type, Attribute const& attribute) {
    auto const& name = attribute.name;
    return !is_component(type) &&
           (name == "createdAt" || name == "updatedAt" || name == "publishedAt");
}

parser::Result<void> RetainedValues::read(Connection& connection, Schema const& schema,
                                          ReplacedTypes const& replaced, bool of_lines) {
    for (auto const& [uid, type] : schema.types) {
        if (!replaced.contains(*type) && !is_component(*type)) continue;
        auto& retained = types_[type.get()];
        SqlText links, scalars;
        for (auto const& attribute : type->attributes) {
            auto const& link = attribute.link;
            bool const is_value = of_lines && attribute.is_scalar() &&
                                  (is_time(*type, attribute) || is_credential(*type, attribute));
            if (is_value) retained.scalars.push_back(attribute.column);
            if (is_value) (scalars << ", ").name(attribute.column);
            if (!has_own_column(attribute)) continue;
            if (attribute.is_polymorphic()) {
                for (auto const& column : {link.target_column, link.target_type_column}) {
                    retained.links.push_back(column);
                    select_reference(links, link, column, replaced);
                }
            } else if (!replaced.contains(*attribute.target)) {
                retained.links.push_back(link.target_column);
                (links << ", ").name(link.target_column);
            }
        }
        if (retained.links.empty() && retained.scalars.empty()) continue;
        SqlText sql(SqlPiece("SELECT `id`"));
        (sql << links << scalars << " FROM ").name(type->table);
        if (auto done = read_rows(connection, sql, retained); !done) return done;
    }
    return {};
}

parser::Result<void> RetainedValues::read_rows(Connection& connection, SqlText const& sql,
                                               RetainedRows& retained) {
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    auto const columns = static_cast<unsigned>(retained.links.size() + retained.scalars.size());
    while (rows->next()) {
        auto const id = rows->id(0);
        Values values;
        for (unsigned column = 1; column <= columns; ++column) {
            auto const cell = rows->text(column);
            values.push_back(cell.data() ? std::optional(std::string(cell)) : std::nullopt);
        }
        bool const has_any = std::ranges::any_of(values, [](auto const& value) { return !!value; });
        if (has_any) retained.rows.emplace(id, std::move(values));
    }
    return {};
}

RetainedValues::RetainedRows const& RetainedValues::find(ContentType const& type) const {
    static RetainedRows const none;
    auto const found = types_.find(&type);
    return found == types_.end() ? none : found->second;
}

std::vector<std::string> const& RetainedValues::links_of(ContentType const& type) const {
    return find(type).links;
}

void RetainedValues::append_links(SqlText& row, ContentType const& type, std::uint64_t id) const {
    auto const& retained = find(type);
    auto const found = retained.rows.find(id);
    for (std::size_t i = 0; i < retained.links.size(); ++i)
        append(next_value(row), found == retained.rows.end() ? std::nullopt : found->second[i]);
}

SqlText RetainedValues::value(ContentType const& type, std::uint64_t id,
                              Attribute const& attribute) const {
    auto const& retained = find(type);
    auto const found = retained.rows.find(id);
    auto const column =
        std::ranges::find(retained.scalars, attribute.column) - retained.scalars.begin();
    SqlText sql;
    append(sql, found == retained.rows.end()
                    ? std::nullopt
                    : found->second[retained.links.size() + static_cast<std::size_t>(column)]);
    return sql;
}

} // namespace db
