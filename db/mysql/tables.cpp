#include "db/mysql/tables.hpp"

namespace db {

namespace {

constexpr SqlPiece all_columns = "SELECT TABLE_NAME, COLUMN_NAME FROM information_schema.COLUMNS"
                                 " WHERE TABLE_SCHEMA = DATABASE()"
                                 " ORDER BY TABLE_NAME, ORDINAL_POSITION";

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

} // namespace db
