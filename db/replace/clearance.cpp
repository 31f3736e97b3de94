#include "db/replace/clearance.hpp"

#include "db/archive/project.hpp"
#include "db/import/cells.hpp"
#include "db/import/record.hpp"
#include "db/import/removal.hpp"
#include "db/sql/sql_text.hpp"

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
    return attribute.owns_link && !is_part(attribute) && attribute.link.place == Link::Place::table;
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

parser::Result<Removal::Ids> ids_of(Connection& connection, ContentType const& type) {
    SqlText sql;
    auto rows = connection.query((sql << "SELECT `id` FROM ").name(type.table));
    if (!rows) return rows.error();
    Removal::Ids ids;
    while (rows->next())
        ids.push_back(integer_cell(rows->text(0)));
    return ids;
}

// In a part of a site only components of its own entries are deleted: others share the tables.
parser::Result<void> delete_components(Connection& connection, Schema const& schema,
                                       ReplacedTypes const& replaced) {
    Removal removal(connection, schema, Removal::Names::wait);
    for (auto const& [uid, type] : schema.types) {
        if (replaced.are_all()) {
            auto const part = std::ranges::find_if(type->attributes, is_part);
            bool const has_parts = part != type->attributes.end();
            auto done =
                is_component(*type) ? clear(connection, type->table) : parser::Result<void>();
            if (done && has_parts) done = clear(connection, part->link.table);
            if (!done) return done;
        } else if (replaced.contains(*type)) {
            auto const ids = ids_of(connection, *type);
            if (!ids) return ids.error();
            if (auto done = removal.parts_of(*type, *ids); !done) return done;
        }
    }
    return {};
}

// Begins a statement that removes pairs of an attribute: it deletes their rows or, in the owner's
// own row, empties the columns.
SqlText without_pairs(Attribute const& attribute) {
    auto const& link = attribute.link;
    SqlText sql;
    if (link.place == Link::Place::table) {
        (sql << "DELETE FROM ").name(link.table);
    } else {
        (sql << "UPDATE ").name(link.table) << " SET ";
        sql.name(link.target_column) << " = NULL";
        if (attribute.is_polymorphic()) (sql << ", ").name(link.target_type_column) << " = NULL";
    }
    sql << " WHERE ";
    return sql;
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
        if (is_exported(uid) && type->kind != ContentType::Kind::component &&
            (are_all_ ? contents.schemas.contains(uid) : contents.entries.contains(uid)))
            types_.insert(type.get());
}

std::string ReplacedTypes::text() const {
    std::set<std::string> uids;
    for (auto const* type : types_)
        uids.insert(type->uid);
    return boost::algorithm::join(uids, ", ");
}

parser::Result<void> delete_content(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced) {
    // Rows are deleted in any order, and pairs that stay may wait for their rows.
    auto done = connection.command(SqlPiece("SET SESSION foreign_key_checks = 0"));
    if (done) done = delete_components(connection, schema, replaced);
    if (!done) return done;
    for (auto const& [uid, type] : schema.types)
        if (replaced.contains(*type))
            if (done = clear(connection, type->table); !done) return done;
    for (auto const& [uid, type] : schema.types) {
        // A part of a site never has the pairs of components.
        bool const is_replaced =
            is_component(*type) ? replaced.are_all() : replaced.contains(*type);
        for (auto const& attribute : type->attributes) {
            if (!is_replaced || !has_own_pairs(attribute)) continue;
            if (done = delete_pairs(connection, attribute, replaced); !done) return done;
        }
    }
    return connection.command(SqlPiece("SET SESSION foreign_key_checks = 1"));
}

parser::Result<void> delete_lost_pairs(Connection& connection, Schema const& schema,
                                       ReplacedTypes const& replaced) {
    for (auto const& [uid, type] : schema.types) {
        if (!is_exported(uid)) continue;
        for (auto const& attribute : type->attributes) {
            bool const is_pair = attribute.owns_link && !is_part(attribute) &&
                                 attribute.link.place != Link::Place::none;
            bool const is_new =
                replaced.are_all() && (!attribute.target || replaced.contains(*attribute.target));
            if (!is_pair || is_new) continue;
            if (attribute.link.place == Link::Place::table) {
                auto sql = without_pairs(attribute);
                not_in(sql, attribute.link.parent_column, type->table);
                if (auto done = connection.command(sql); !done) return done;
            }
            if (replaced.are_all()) continue;
            auto done = delete_lost_targets(connection, schema, attribute, replaced);
            if (!done) return done;
        }
    }
    return {};
}

} // namespace db
