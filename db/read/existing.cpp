#include "db/read/existing.hpp"

#include <algorithm>

namespace db {

namespace {

constexpr SqlPiece all_parts =
    "SELECT TABLE_NAME, INDEX_NAME, COLUMN_NAME, COLLATION, NON_UNIQUE, SUB_PART"
    " FROM information_schema.STATISTICS WHERE TABLE_SCHEMA = DATABASE() AND INDEX_TYPE = 'BTREE'"
    " ORDER BY TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX";

constexpr SqlPiece rows_of_all = "SELECT TABLE_NAME, TABLE_ROWS"
                                 " FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()";

} // namespace

parser::Result<std::vector<ExistingIndex>> read_existing_indexes(Connection& connection) {
    auto rows = connection.query(all_parts);
    if (!rows) return rows.error();
    std::vector<ExistingIndex> indexes;
    bool is_whole = true; // all columns so far are, of the last index
    while (rows->next()) {
        std::string const table(rows->text(0)), name(rows->text(1));
        bool const is_new =
            indexes.empty() || indexes.back().name != name || indexes.back().index.table != table;
        if (is_new) {
            indexes.push_back({{table}, name, rows->text(4) == "0"});
            is_whole = true;
        }
        // MySQL has no name for an expression.
        is_whole = is_whole && rows->text(2).data() && !rows->text(5).data();
        if (!is_whole) {
            indexes.back().is_unique = false;
            continue;
        }
        indexes.back().index.columns.push_back({std::string(rows->text(2)), rows->text(3) == "D"});
    }
    return indexes;
}

parser::Result<std::vector<Index>> missing_indexes(Connection& connection,
                                                   std::vector<Index> indexes) {
    auto const existing = read_existing_indexes(connection);
    if (!existing) return existing.error();
    std::erase_if(indexes, [&](Index const& index) {
        return std::ranges::any_of(*existing,
                                   [&](ExistingIndex const& one) { return one.is(index); });
    });
    return indexes;
}

parser::Result<std::map<std::string, std::uint64_t, std::less<>>>
read_table_rows(Connection& connection) {
    auto tables = connection.query(rows_of_all);
    if (!tables) return tables.error();
    std::map<std::string, std::uint64_t, std::less<>> rows;
    while (tables->next())
        rows[std::string(tables->text(0))] = tables->id(1);
    return rows;
}

} // namespace db
