#include "db/content/ddl.hpp"

namespace db {

namespace {

using Kind = ColumnType::SqlType;

// Puts the separator between the items that are added.
class List {
  public:
    List(SqlText& sql, SqlPiece separator) : sql_(sql), separator_(separator) {}
    SqlText& next() {
        if (!first_) sql_ << separator_;
        first_ = false;
        return sql_;
    }

  private:
    SqlText& sql_;
    SqlPiece separator_;
    bool first_ = true;
};

void add_size(SqlText& sql, ColumnType const& type) {
    if (type.size == 0) return;
    (sql << "(").integer(std::uint64_t{type.size});
    bool const has_scale = type.kind == Kind::decimal || type.kind == Kind::floating;
    if (has_scale) (sql << ", ").integer(std::uint64_t{type.scale});
    sql << ")";
}

SqlPiece word(Kind kind) {
    switch (kind) {
    case Kind::unknown:
    case Kind::varchar:
        return "varchar";
    case Kind::text:
        return "text";
    case Kind::mediumtext:
        return "mediumtext";
    case Kind::longtext:
        return "longtext";
    case Kind::json:
        return "json";
    case Kind::integer:
        return "int";
    case Kind::biginteger:
        return "bigint";
    case Kind::floating:
        return "float";
    case Kind::double_floating:
        return "double";
    case Kind::decimal:
        return "decimal";
    case Kind::boolean:
        return "tinyint(1)";
    case Kind::date:
        return "date";
    case Kind::time:
        return "time";
    case Kind::datetime:
        return "datetime";
    case Kind::timestamp:
        return "timestamp";
    }
    return "varchar";
}

void add_column(SqlText& sql, Column const& column) {
    (sql.name(column.name) << " ") << word(column.type.kind);
    add_size(sql, column.type);
    if (column.type.is_unsigned) sql << " unsigned";
    sql << " NULL DEFAULT NULL";
}

void add_index(SqlText& sql, TableIndex const& index) {
    if (index.is_unique) sql << "UNIQUE ";
    (sql << "KEY ").name(index.name) << " (";
    List columns(sql, ", ");
    for (auto const& column : index.columns)
        columns.next().name(column);
    sql << ")";
}

void add_foreign_key(SqlText& sql, ForeignKey const& key) {
    (sql << "CONSTRAINT ").name(key.name) << " FOREIGN KEY (";
    sql.name(key.column) << ") REFERENCES ";
    sql.name(key.table) << " (`id`) ON DELETE ";
    sql << (key.on_delete == ForeignKey::OnDelete::cascade ? SqlPiece("CASCADE")
                                                           : SqlPiece("SET NULL"));
}

} // namespace

SqlText create_table(Table const& table, SqlText const& defaults) {
    SqlText sql;
    (sql << "CREATE TABLE ").name(table.name) << " (\n  ";
    List parts(sql, ",\n  ");
    parts.next() << "`id` int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY";
    for (auto const& column : table.columns)
        add_column(parts.next(), column);
    for (auto const& index : table.indexes)
        add_index(parts.next(), index);
    for (auto const& key : table.foreign_keys)
        add_foreign_key(parts.next(), key);
    sql << "\n) ENGINE=InnoDB";
    return sql << defaults;
}

SqlText alter_table(Table const& table) {
    SqlText sql;
    (sql << "ALTER TABLE ").name(table.name) << "\n  ";
    List parts(sql, ",\n  ");
    for (auto const& column : table.columns)
        add_column(parts.next() << "ADD COLUMN ", column);
    for (auto const& index : table.indexes)
        add_index(parts.next() << "ADD ", index);
    for (auto const& key : table.foreign_keys)
        add_foreign_key(parts.next() << "ADD ", key);
    return sql;
}

} // namespace db
