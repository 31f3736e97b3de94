#include "db/cms/tables.hpp"

#include "db/mysql/server_error.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>

namespace db {

namespace {

constexpr SqlPiece all_columns = "SELECT TABLE_NAME, COLUMN_NAME, COLUMN_TYPE, CHARACTER_SET_NAME"
                                 " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA = DATABASE()"
                                 " ORDER BY TABLE_NAME, ORDINAL_POSITION";

constexpr SqlPiece all_names =
    "SELECT TABLE_NAME FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()";

struct DataType {
    std::string_view name;
    AttributeType type;
};

constexpr DataType data_types[] = {
    {"longtext", AttributeType::richtext}, {"mediumtext", AttributeType::richtext},
    {"text", AttributeType::text},         {"json", AttributeType::json},
    {"tinyint", AttributeType::boolean},   {"int", AttributeType::integer},
    {"bigint", AttributeType::biginteger}, {"decimal", AttributeType::decimal},
    {"double", AttributeType::floating},   {"float", AttributeType::floating},
    {"date", AttributeType::date},         {"time", AttributeType::time},
    {"datetime", AttributeType::datetime}, {"timestamp", AttributeType::timestamp},
};

AttributeType attribute_type(std::string_view data_type) {
    auto const* found = std::ranges::find(data_types, data_type, &DataType::name);
    return found == std::end(data_types) ? AttributeType::string : found->type;
}

// Selects one row with the name of the column's type; none if there is no such column.
SqlText data_type(bool is_mariadb, std::string_view table, std::string_view column) {
    SqlText sql;
    // MariaDB's JSON is a longtext with a check.
    if (is_mariadb)
        sql << "SELECT IF(EXISTS (SELECT 1 FROM information_schema.CHECK_CONSTRAINTS k"
               " WHERE k.CONSTRAINT_SCHEMA = DATABASE() AND k.TABLE_NAME = c.TABLE_NAME AND"
               " k.CHECK_CLAUSE = CONCAT('json_valid(`', c.COLUMN_NAME, '`)')), 'json',"
               " c.DATA_TYPE)";
    else
        sql << "SELECT c.DATA_TYPE";
    sql << " FROM information_schema.COLUMNS c WHERE c.TABLE_SCHEMA = DATABASE()"
           " AND c.TABLE_NAME = ";
    sql.text(table) << " AND c.COLUMN_NAME = ";
    sql.text(column);
    return sql;
}

SqlText migration_done() {
    SqlText sql("SELECT 1 FROM ");
    return sql.table("strapi_migrations_internal")
           << " WHERE `name` = 'core::5.0.0-discard-drafts'";
}

SqlText tables_noted() {
    SqlText sql("SELECT 1 FROM ");
    return sql.table("strapi_database_schema") << " LIMIT 1";
}

constexpr std::string_view harmless[] = {"SELECT",  "USAGE", "SHOW VIEW",     "SHOW DATABASES",
                                         "PROCESS", "PROXY", "SLAVE MONITOR", "REPLICATION CLIENT"};

// Matches a pattern of LIKE, in which a backslash escapes the next sign.
bool matches(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) return text.empty();
    if (pattern[0] == '%') {
        for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
            if (matches(pattern.substr(1), text.substr(skipped))) return true;
        return false;
    }
    if (text.empty()) return false;
    bool const is_any = pattern[0] == '_';
    if (pattern[0] == '\\' && pattern.size() > 1) pattern.remove_prefix(1);
    return (is_any || pattern[0] == text[0]) && matches(pattern.substr(1), text.substr(1));
}

// Returns whether `*.* TO …`, `` `cms`.* TO … ``, `` `cms`.`articles` TO … `` or `PROCEDURE …` is
// about the database. A name before `.*` is a pattern.
bool concerns(std::string_view object, std::string_view database) {
    if (object.starts_with("*.*")) return true;
    std::string name;
    std::size_t at = std::min(object.find('`'), object.size()) + 1;
    for (; at < object.size(); ++at) {
        if (object[at] == '`' && (at + 1 == object.size() || object[++at] != '`')) break;
        name += object[at];
    }
    if (at < object.size() && object.substr(at).starts_with(".*")) return matches(name, database);
    return name == database;
}

} // namespace

parser::Result<TableColumns> read_table_columns(Connection& connection) {
    auto rows = connection.query(all_columns);
    if (!rows) return rows.error();
    TableColumns tables;
    while (rows->next()) {
        auto& columns = tables[std::string(rows->text(0))];
        columns.push_back({.name = std::string(rows->text(1)),
                           .type = std::string(rows->text(2)),
                           .character_set = std::string(rows->text(3))});
    }
    return tables;
}

parser::Result<std::optional<Version>> read_version(Connection& connection) {
    auto const tables = read_table_columns(connection);
    if (!tables) return tables.error();
    return database_version(*tables);
}

parser::Result<void> check_migration(Connection& connection, TableColumns const& tables) {
    if (!tables.contains("strapi_migrations_internal")) return {};
    auto const done = connection.query(migration_done());
    if (!done) return done.error();
    if (done->rows() > 0) return {};
    return parser::unavailable("Strapi 5 is migrating the database");
}

parser::Result<std::set<std::string, std::less<>>> read_table_names(Connection& connection) {
    auto rows = connection.query(all_names);
    if (!rows) return rows.error();
    std::set<std::string, std::less<>> names;
    while (rows->next())
        names.emplace(rows->text(0));
    return names;
}

parser::Result<void> read_custom_fields(Connection& connection, Schema& schema) {
    for (auto& [uid, type] : schema.types)
        for (auto& attribute : type->attributes) {
            if (!attribute.is_custom) continue;
            auto rows =
                connection.query(data_type(connection.is_mariadb(), type->table, attribute.column));
            if (!rows) return rows.error();
            if (rows->next()) attribute.type = attribute_type(rows->text(0));
        }
    return {};
}

// Reads the table, since information_schema does not list what the account may not read.
parser::Result<bool> find_cms(Connection& connection) {
    auto const rows = connection.query(tables_noted());
    if (rows) return rows->rows() > 0;
    auto const kind = rows.error().kind;
    if (parser::is_of_the_moment(kind)) return rows.error();
    return kind != parser::ErrorKind::schema_changed;
}

TableNames cms_tables() {
    TableNames names;
    migration_done().add_tables_to(names);
    tables_noted().add_tables_to(names);
    return names;
}

parser::Result<void> read_has_cms(Connection& connection, Schema& schema) {
    auto const cms = find_cms(connection);
    if (!cms) return cms.error();
    set_has_cms(schema, *cms);
    return {};
}

std::set<std::string> tables_of(Schema const& schema) {
    std::set<std::string> tables;
    for (auto const& [uid, type] : schema.types) {
        tables.insert(type->table);
        for (Attribute const& attribute : type->attributes)
            if (!attribute.link.table.empty()) tables.insert(attribute.link.table);
    }
    return tables;
}

parser::Result<std::vector<std::string>> unreadable(Connection& connection,
                                                    std::set<std::string> const& tables) {
    std::vector<std::string> found;
    for (std::string const& table : tables) {
        SqlText sql;
        sql << "SELECT 1 FROM ";
        sql.name(table) << " LIMIT 0";
        auto const rows = connection.query(sql);
        if (rows) continue;
        if (parser::is_of_the_moment(rows.error().kind)) return rows.error();
        if (rows.error().kind == parser::ErrorKind::not_granted) found.push_back(table);
    }
    return found;
}

parser::Result<Account> read_account(Connection& connection) {
    auto rows = connection.query(SqlPiece("SELECT DATABASE(), CURRENT_USER()"));
    if (!rows) return rows.error();
    rows->next();
    Account account{.database = std::string(rows->text(0)), .name = {}};
    account.name = quoted_account(rows->text(1));
    return account;
}

// Reads rows like GRANT SELECT, INSERT ON `cms`.* TO …; a privilege on columns has these in
// parentheses.
parser::Result<std::vector<std::string>> more_than_reading(Connection& connection) {
    auto const account = read_account(connection);
    if (!account) return account.error();
    auto rows = connection.query(SqlPiece("SHOW GRANTS"));
    if (!rows) return rows.error();
    std::set<std::string> found;
    while (rows->next()) {
        std::string_view const grant = rows->text(0);
        auto const on = grant.find(" ON ");
        if (!grant.starts_with("GRANT ") || on == grant.npos) continue; // a role
        if (!concerns(grant.substr(on + 4), account->database)) continue;
        std::vector<std::string> privileges;
        boost::split(privileges, grant.substr(6, on - 6), boost::is_any_of(","));
        for (std::string& privilege : privileges) {
            privilege.resize(std::min(privilege.find('('), privilege.size()));
            boost::trim(privilege);
            if (std::ranges::find(harmless, privilege) == std::end(harmless))
                found.insert(privilege);
        }
    }
    return std::vector(found.begin(), found.end());
}

} // namespace db
