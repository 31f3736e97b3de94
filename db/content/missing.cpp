#include "db/content/missing.hpp"

#include <boost/algorithm/string/case_conv.hpp>

namespace db {

namespace {

// Selects table, kind of part and name.
constexpr SqlPiece all_parts =
    "SELECT TABLE_NAME, 'column', COLUMN_NAME FROM information_schema.COLUMNS"
    " WHERE TABLE_SCHEMA = DATABASE()"
    " UNION ALL SELECT DISTINCT TABLE_NAME, 'index', INDEX_NAME FROM information_schema.STATISTICS"
    " WHERE TABLE_SCHEMA = DATABASE()"
    " UNION ALL SELECT TABLE_NAME, 'key', CONSTRAINT_NAME"
    " FROM information_schema.TABLE_CONSTRAINTS"
    " WHERE TABLE_SCHEMA = DATABASE() AND CONSTRAINT_TYPE = 'FOREIGN KEY'";

std::string lower(std::string_view name) {
    return boost::to_lower_copy(std::string(name), std::locale::classic());
}

template<class Part>
std::vector<Part> lacking(std::vector<Part> const& wanted, std::set<std::string> const& existing) {
    std::vector<Part> parts;
    for (auto const& part : wanted)
        if (!existing.contains(lower(part.name))) parts.push_back(part);
    return parts;
}

} // namespace

parser::Result<ExistingTables> ExistingTables::read(Connection& connection) {
    auto rows = connection.query(all_parts);
    if (!rows) return rows.error();
    ExistingTables existing;
    while (rows->next()) {
        auto& table = existing.tables_[std::string(rows->text(0))];
        std::string const kind(rows->text(1));
        auto& names = kind == "column"  ? table.columns
                      : kind == "index" ? table.indexes
                                        : table.foreign_keys;
        names.insert(lower(rows->text(2)));
    }
    return existing;
}

ExistingTable const* ExistingTables::find(std::string const& table) const {
    auto found = tables_.find(table);
    // With lower_case_table_names=1 the server knows every table by its lower-case name.
    if (found == tables_.end()) found = tables_.find(lower(table));
    return found == tables_.end() ? nullptr : &found->second;
}

Table missing_parts(Table const& table, ExistingTable const& existing) {
    return {.name = table.name,
            .columns = lacking(table.columns, existing.columns),
            .indexes = lacking(table.indexes, existing.indexes),
            .foreign_keys = lacking(table.foreign_keys, existing.foreign_keys)};
}

} // namespace db
