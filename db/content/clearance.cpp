#include "db/content/clearance.hpp"

#include "db/content/cells.hpp"
#include "db/content/project.hpp"
#include "db/content/record.hpp"
#include "db/mysql/sql_text.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <set>
#include <string_view>

namespace db {

namespace {

constexpr SqlPiece made_by_cms =
    " WHERE `key` NOT IN ('plugin_i18n_default_locale', 'plugin_users-permissions_advanced')";

parser::Result<std::uint64_t> count(Connection& connection, SqlText const& sql) {
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    rows->next();
    return integer_cell(rows->text(0));
}

SqlText count_of(std::string_view table) {
    SqlText sql;
    (sql << "SELECT COUNT(*) FROM ").name(table);
    return sql;
}

bool is_component(ContentType const& type) {
    return type.kind == ContentType::Kind::component;
}

bool has_own_pairs(Attribute const& attribute) {
    return attribute.owns_link && !is_part(attribute) &&
           attribute.link.place == Link::Storage::table;
}

SqlText& not_in(SqlText& sql, std::string const& column, std::string const& table) {
    sql.name(column) << " NOT IN (SELECT `id` FROM ";
    return sql.name(table) << ")";
}

parser::Result<void> clear(Connection& connection, std::string const& table) {
    SqlText sql;
    return connection.command((sql << "DELETE FROM ").name(table));
}

// Deletes the pairs of one attribute with the types that are replaced.
parser::Result<void> delete_pairs(Connection& connection, Attribute const& attribute,
                                  ReplacedTypes const& replaced) {
    auto const& link = attribute.link;
    if (attribute.target && !replaced.contains(*attribute.target)) return {};
    if (replaced.are_all() || attribute.target) return clear(connection, link.table);
    for (ContentType const* target : replaced.types()) {
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
        auto const part = std::ranges::find_if(type->attributes, is_part);
        parser::Result<void> done;
        if (is_component(*type) || replaced.contains(*type)) done = clear(connection, type->table);
        if (done && part != type->attributes.end()) done = clear(connection, part->link.table);
        if (!done) return done;
    }
    return {};
}

parser::Result<Ids> ids_of(Connection& connection, ContentType const& type) {
    SqlText sql;
    auto rows = connection.query((sql << "SELECT `id` FROM ").name(type.table));
    if (!rows) return rows.error();
    Ids ids;
    while (rows->next())
        ids.push_back(integer_cell(rows->text(0)));
    return ids;
}

// Deletes the rows of the types; others share the tables of their components.
parser::Result<void> delete_entries(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced) {
    for (auto const* type : replaced.types()) {
        auto const ids = ids_of(connection, *type);
        if (!ids) return ids.error();
        if (auto done = delete_rows(connection, schema, *type, *ids); !done) return done;
    }
    return {};
}

// Deletes the components of these rows.
parser::Result<void> delete_parts(Connection& connection, Schema const& schema,
                                  ContentType const& type, Ids const& ids) {
    auto const part = std::ranges::find_if(type.attributes, is_part);
    if (part == type.attributes.end()) return {};
    auto const& link = part->link;
    SqlText sql;
    (sql << "SELECT ").name(link.target_column) << ", `component_type` FROM ";
    sql.name(link.table) << " WHERE ";
    std::map<std::string, Ids> parts;
    {
        auto rows = connection.query(in(sql, link.parent_column, ids));
        if (!rows) return rows.error();
        while (rows->next()) {
            auto const id = integer_cell(rows->text(0));
            parts[std::string(rows->text(1))].push_back(id);
        }
    }
    SqlText pairs;
    (pairs << "DELETE FROM ").name(link.table) << " WHERE ";
    if (auto done = connection.command(in(pairs, link.parent_column, ids)); !done) return done;
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

} // namespace

parser::Result<std::string> rows_of_cms(Connection& connection, TableColumns const& tables) {
    constexpr std::string_view store = "strapi_core_store_settings";
    std::string text;
    for (auto const table :
         {std::string_view("admin_users"), store, std::string_view("strapi_database_schema"),
          std::string_view("strapi_migrations"), std::string_view("strapi_webhooks")}) {
        if (!tables.contains(table)) continue;
        auto sql = count_of(table);
        if (table == store) sql << made_by_cms;
        auto const rows = count(connection, sql);
        if (!rows) return rows.error();
        if (*rows > 0)
            text.append(text.empty() ? "" : ", ")
                .append(std::to_string(*rows) + " in ")
                .append(table);
    }
    return text;
}

parser::Result<EntryCounts> count_entries(Connection& connection, Schema const& schema) {
    EntryCounts counts;
    for (auto const& [uid, type] : schema.types) {
        if (!is_exported(uid) || type->kind == ContentType::Kind::component) continue;
        auto const rows = count(connection, count_of(type->table));
        if (!rows) return rows.error();
        counts[uid] = *rows;
    }
    return counts;
}

std::string types_beyond(ArchiveContents const& contents, EntryCounts const& counts) {
    constexpr std::string_view made_with_tables[] = {"plugin::i18n.locale",
                                                     "plugin::users-permissions.permission",
                                                     "plugin::users-permissions.role"};
    std::string text;
    for (auto const& [uid, entries] : counts)
        if (entries > 0 && !contents.schemas.contains(uid) &&
            std::ranges::count(made_with_tables, uid) == 0)
            text.append(text.empty() ? "" : ", ")
                .append(uid + " (" + std::to_string(entries) + ')');
    return text;
}

ReplacedTypes::ReplacedTypes(ArchiveContents const& contents, Schema const& schema)
    : are_all_(contents.is_whole_site()) {
    for (auto const& [uid, type] : schema.types)
        if (is_exported(uid) && !is_component(*type) &&
            (are_all_ ? contents.schemas.contains(uid) : contents.entries.contains(uid)))
            types_.insert(type.get());
}

std::string ReplacedTypes::text() const {
    std::set<std::string> uids;
    for (auto const* type : types_)
        uids.insert(type->uid);
    return boost::algorithm::join(uids, ", ");
}

SqlText& in(SqlText& sql, std::string const& column, std::span<std::uint64_t const> ids) {
    sql.name(column) << " IN (";
    for (auto const& id : ids)
        (&id == &ids.front() ? sql : sql << ", ").integer(id);
    return sql << ")";
}

SqlText without_pairs(Attribute const& attribute) {
    auto const& link = attribute.link;
    SqlText sql;
    if (link.place == Link::Storage::table) {
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
        SqlText sql;
        (sql << "DELETE FROM ").name(type.table) << " WHERE ";
        return connection.command(in(sql, "id", chunk));
    });
}

parser::Result<void> delete_content(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced) {
    // Rows are deleted in any order, and pairs that stay may wait for their rows.
    auto done = connection.command(SqlPiece("SET SESSION foreign_key_checks = 0"));
    if (done)
        done = replaced.are_all() ? clear_site(connection, schema, replaced)
                                  : delete_entries(connection, schema, replaced);
    if (!done) return done;
    return connection.command(SqlPiece("SET SESSION foreign_key_checks = 1"));
}

parser::Result<void> delete_pairs(Connection& connection, Schema const& schema,
                                  ReplacedTypes const& replaced) {
    for (auto const& [uid, type] : schema.types) {
        // A part of a site never has the pairs of components.
        bool const is_replaced =
            is_component(*type) ? replaced.are_all() : replaced.contains(*type);
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
                                 attribute.link.place != Link::Storage::none;
            bool const is_new =
                replaced.are_all() && (!attribute.target || replaced.contains(*attribute.target));
            if (!is_pair || is_new) continue;
            if (may_be_gone && attribute.link.place == Link::Storage::table) {
                auto sql = without_pairs(attribute);
                not_in(sql, attribute.link.parent_column, type->table);
                if (auto done = connection.command(sql); !done) return done;
            }
            bool const has_others = attribute.target && !replaced.contains(*attribute.target);
            if (replaced.are_all() || has_others) continue;
            auto done = delete_lost_targets(connection, schema, attribute, replaced);
            if (!done) return done;
        }
    }
    return {};
}

} // namespace db
