#include "db/mysql/tables.hpp"

namespace db {

namespace {

constexpr SqlPiece all_columns = "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS"
                                 " WHERE TABLE_SCHEMA = DATABASE()"
                                 " ORDER BY TABLE_NAME, ORDINAL_POSITION";

constexpr std::string_view no_such_table = "database error 1146:";

} // namespace

parser::Result<TableColumns> read_table_columns(Connection& connection) {
    auto rows = connection.query(all_columns);
    if (!rows) return rows.error();
    TableColumns tables;
    while (rows->next()) {
        auto& columns = tables[std::string(rows->text(0))];
        columns.emplace_back(rows->text(1));
    }
    return tables;
}

// By reading, not from information_schema: that does not list what the account may not read.
parser::Result<Cms> find_cms(Connection& connection) {
    auto const rows = connection.query(SqlPiece("SELECT 1 FROM `strapi_database_schema` LIMIT 1"));
    if (rows) return rows->rows() > 0 ? Cms::present : Cms::absent;
    auto const& error = rows.error();
    if (error.status == 503 || error.status == 504) return error;
    return error.cause.starts_with(no_such_table) ? Cms::absent : Cms::present;
}

parser::Result<void> read_cms(Connection& connection, Schema& schema) {
    auto const cms = find_cms(connection);
    if (!cms) return cms.error();
    set_cms(schema, *cms == Cms::present);
    return {};
}

} // namespace db
