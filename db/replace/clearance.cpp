#include "db/replace/clearance.hpp"

#include "db/archive/project.hpp"
#include "db/import/cells.hpp"
#include "db/import/record.hpp"
#include "db/sql/sql_text.hpp"

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

bool has_own_pairs(Attribute const& attribute) {
    return attribute.owns_link && attribute.link.place == Link::Place::table;
}

bool is_kept(Attribute const& attribute) {
    return !is_part(attribute) && attribute.target && !is_exported(attribute.target->uid);
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

parser::Result<void> delete_content(Connection& connection, Schema const& schema,
                                    ArchiveContents const& contents) {
    // Whole tables go, in any order, and pairs that stay may wait for their rows.
    auto done = connection.command(SqlPiece("SET SESSION foreign_key_checks = 0"));
    if (!done) return done;
    std::set<std::string> tables;
    auto const clear = [&](std::string const& table) -> parser::Result<void> {
        if (!tables.insert(table).second) return {};
        SqlText sql;
        return connection.command((sql << "DELETE FROM ").name(table));
    };
    for (auto const& [uid, type] : schema.types) {
        bool const is_of_archive =
            contents.schemas.contains(uid) || type->kind == ContentType::Kind::component;
        if (!is_exported(uid) || !is_of_archive) continue;
        if (done = clear(type->table); !done) return done;
        for (auto const& attribute : type->attributes) {
            if (!has_own_pairs(attribute) || is_kept(attribute)) continue;
            if (done = clear(attribute.link.table); !done) return done;
        }
    }
    return connection.command(SqlPiece("SET SESSION foreign_key_checks = 1"));
}

parser::Result<void> delete_lost_pairs(Connection& connection, Schema const& schema) {
    for (auto const& [uid, type] : schema.types) {
        if (!is_exported(uid)) continue;
        for (auto const& attribute : type->attributes) {
            if (!has_own_pairs(attribute) || !is_kept(attribute)) continue;
            SqlText sql;
            (sql << "DELETE FROM ").name(attribute.link.table) << " WHERE ";
            sql.name(attribute.link.parent_column) << " NOT IN (SELECT `id` FROM ";
            if (auto done = connection.command(sql.name(type->table) << ")"); !done) return done;
        }
    }
    return {};
}

} // namespace db
