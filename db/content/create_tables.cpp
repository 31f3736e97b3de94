#include "db/content/create_tables.hpp"

#include "db/content/ddl.hpp"
#include "db/content/first_rows.hpp"
#include "db/content/missing.hpp"

#include <algorithm>
#include <iterator>

namespace db {

namespace {

parser::Result<std::string> default_charset(Connection& connection) {
    auto rows = connection.query(SqlPiece("SELECT @@character_set_database"));
    if (!rows) return rows.error();
    rows->next();
    return std::string(rows->text(0));
}

// Creates and alters tables in turn. A foreign key to a table that does not exist yet is added
// last.
class Creation {
  public:
    Creation(ExistingTables const& existing, SqlText const& defaults)
        : existing_(existing), defaults_(defaults) {}

    void add(Table table) {
        auto const* found = existing_.find(table.name);
        if (found) table = missing_parts(table, *found);
        created_.insert(table.name);
        Table later{.name = table.name, .columns = {}, .indexes = {}, .foreign_keys = {}};
        std::erase_if(table.foreign_keys, [&](ForeignKey const& key) {
            bool const waits = !existing_.find(key.table) && !created_.contains(key.table);
            if (waits) later.foreign_keys.push_back(key);
            return waits;
        });
        if (!found)
            statements_.push_back(create_table(table, defaults_));
        else if (!is_empty(table))
            statements_.push_back(alter_table(table));
        if (!is_empty(later)) last_.push_back(alter_table(later));
    }

    std::vector<SqlText> statements() {
        std::ranges::copy(last_, std::back_inserter(statements_));
        return std::move(statements_);
    }

  private:
    static bool is_empty(Table const& parts) {
        return parts.columns.empty() && parts.indexes.empty() && parts.foreign_keys.empty();
    }

    ExistingTables const& existing_;
    SqlText const& defaults_;
    std::set<std::string> created_;
    std::vector<SqlText> statements_;
    std::vector<SqlText> last_;
};

} // namespace

parser::Result<std::vector<SqlText>> creation_of(Schema const& schema, Connection* connection,
                                                 std::string const& collation) {
    auto const tables = layout(schema);
    if (!tables) return tables.error();
    ExistingTables existing;
    FirstRows rows;
    bool is_utf8mb4 = true;
    if (connection) {
        auto found = ExistingTables::read(*connection);
        if (!found) return found.error();
        existing = *std::move(found);
        auto const charset = default_charset(*connection);
        if (!charset) return charset.error();
        is_utf8mb4 = *charset == "utf8mb4";
    }
    bool const has_rows = existing.find("up_roles") && existing.find("i18n_locale") &&
                          existing.find("strapi_core_store_settings");
    if (has_rows) {
        auto found = FirstRows::read(*connection, existing.find("strapi_migrations_internal"));
        if (!found) return found.error();
        rows = *found;
    }
    SqlText defaults;
    if (!is_utf8mb4 || !collation.empty()) defaults << " DEFAULT CHARACTER SET utf8mb4";
    if (!collation.empty()) (defaults << " COLLATE ").name(collation);
    Creation creation(existing, defaults);
    for (auto const& table : *tables)
        creation.add(table);
    auto statements = creation.statements();
    auto const inserts = insert_first_rows(rows, schema.cms);
    if (inserts.empty()) return statements;
    statements.push_back(SqlPiece("START TRANSACTION"));
    std::ranges::copy(inserts, std::back_inserter(statements));
    statements.push_back(SqlPiece("COMMIT"));
    return statements;
}

} // namespace db
