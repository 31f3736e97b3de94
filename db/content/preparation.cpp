#include "db/content/preparation.hpp"

#include "db/cms/tables.hpp"
#include "db/content/value.hpp"
#include "db/mysql/connection.hpp"

#include <chrono>

namespace db {

namespace {

// Commits or rolls back. True means that the connection was lost during the commit, so that either
// everything is stored or nothing.
parser::Result<bool> end_import(Connection& connection, bool is_to_stay) {
    auto const ended = connection.command(is_to_stay ? SqlPiece("COMMIT") : SqlPiece("ROLLBACK"));
    if (!is_to_stay || ended) return false;
    if (!connection.is_lost()) return ended.error();
    return true;
}

// InnoDB updates its statistics in the middle of a long transaction, and not again when that ends.
// With these figures of the indexes the server would read whole tables for one page. A failure is
// ignored, since everything is imported by now.
void refresh_statistics(Connection& connection, TableColumns const& tables) {
    SqlText names;
    for (auto const& [table, columns] : tables)
        next_value(names).name(table);
    (void)connection.query(SqlText("ANALYZE LOCAL TABLE ") << names);
}

constexpr SqlPiece made_by_cms =
    " WHERE `key` NOT IN ('plugin_i18n_default_locale', 'plugin_users-permissions_advanced')";

// Returns what a CMS has written beside content and neither create-tables nor an import makes: `1
// in admin_users, 61 in strapi_core_store_settings`. Empty if there is nothing.
parser::Result<std::string> rows_of_cms(Connection& connection, TableColumns const& tables) {
    constexpr std::string_view store = "strapi_core_store_settings";
    std::string text;
    for (auto const table :
         {std::string_view("admin_users"), store, std::string_view("strapi_database_schema"),
          std::string_view("strapi_migrations"), std::string_view("strapi_webhooks")}) {
        if (!tables.contains(table)) continue;
        SqlText sql;
        (sql << "SELECT COUNT(*) FROM ").name(table);
        if (table == store) sql << made_by_cms;
        auto count = connection.query(sql);
        if (!count) return count.error();
        count->next();
        if (auto const rows = count->id(0); rows > 0)
            text.append(text.empty() ? "" : ", ")
                .append(std::to_string(rows) + " in ")
                .append(table);
    }
    return text;
}

// Returns a Destination's refusal.
parser::Result<std::string> refusal_of(Connection& connection, TableColumns const& tables,
                                       std::string const& replaced) {
    auto const account = read_account(connection);
    if (!account) return account.error();
    if (!replaced.empty() && replaced != account->database)
        return parser::Error{parser::ErrorKind::configuration, "--replace: the database is " +
                                                                   account->database + ", not " +
                                                                   replaced};
    auto const rows = rows_of_cms(connection, tables);
    if (!rows) return rows.error();
    if (rows->empty() || !replaced.empty()) return std::string();
    return "the database " + account->database +
           " belongs to a CMS: it has rows that neither create-tables nor import made, " + *rows +
           "; to replace its content, add --replace " + account->database;
}

} // namespace

parser::Result<Destination> prepare_import(Connection& connection, Schema& schema,
                                           std::string const& replaced) {
    // The server frees the lock only when it notices that the process of the import has ended.
    auto const is_ours = take_lock(connection, "populate-fcgi import", std::chrono::seconds(2));
    if (is_ours && !*is_ours)
        return parser::Error{parser::ErrorKind::conflict,
                             "another import into this database is running"};
    auto tables = read_table_columns(connection);
    if (!tables) return tables.error();
    read_columns(schema, *tables);
    if (!schema.missing.empty())
        return parser::Error{parser::ErrorKind::configuration,
                             schema.missing.front().what +
                                 "; the command create-tables creates what is missing"};
    auto refusal = refusal_of(connection, *tables, replaced);
    if (!refusal) return refusal.error();
    return Destination{*std::move(tables), *std::move(refusal)};
}

parser::Result<ImportCount> store(Connection& connection, TableColumns const& tables, bool is_trial,
                                  std::function<parser::Result<ImportCount>()> const& write) {
    auto begun = connection.command(SqlPiece("SET SESSION sql_mode = 'STRICT_ALL_TABLES'"));
    if (begun) begun = connection.command(SqlPiece("START TRANSACTION"));
    if (!begun) return begun.error();
    auto count = write();
    bool const is_to_stay = count && count->errors == 0 && !is_trial;
    auto const is_in_doubt = end_import(connection, is_to_stay);
    if (!is_in_doubt) return is_in_doubt.error();
    if (*is_in_doubt) {
        count->is_in_doubt = true;
        return count;
    }
    bool const is_other = count && count->added + count->changed + count->removed > 0;
    if (is_to_stay && is_other) refresh_statistics(connection, tables);
    return count;
}

} // namespace db
