#include "db/content/create_tables.hpp"

#include "db/schema/naming.hpp"

#include <algorithm>
#include <iterator>
#include <span>
#include <string>

namespace db {

namespace {

using Kind = ColumnType::SqlType;

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

void add_column(SqlText& sql, ColumnDefinition const& column) {
    (sql.name(column.name) << " ") << word(column.type.kind);
    add_size(sql, column.type);
    if (column.type.is_unsigned) sql << " unsigned";
    sql << " NULL DEFAULT NULL";
}

void add_index(SqlText& sql, TableIndex const& index) {
    if (index.is_unique) sql << "UNIQUE ";
    (sql << "KEY ").name(index.name) << " (";
    for (auto const& column : index.columns)
        (&column == &index.columns.front() ? sql : sql << ", ").name(column);
    sql << ")";
}

void add_foreign_key(SqlText& sql, ForeignKey const& key) {
    (sql << "CONSTRAINT ").name(key.name) << " FOREIGN KEY (";
    sql.name(key.column) << ") REFERENCES ";
    sql.name(key.table) << " (`id`) ON DELETE ";
    sql << (key.on_delete == ForeignKey::OnDelete::cascade ? SqlPiece("CASCADE")
                                                           : SqlPiece("SET NULL"));
}

constexpr SqlPiece existing_rows =
    "SELECT EXISTS (SELECT 1 FROM `up_roles` WHERE `type` = 'authenticated'),"
    " EXISTS (SELECT 1 FROM `up_roles` WHERE `type` = 'public'),"
    " EXISTS (SELECT 1 FROM `i18n_locale`),"
    " EXISTS (SELECT 1 FROM `strapi_core_store_settings`"
    " WHERE `key` = 'plugin_i18n_default_locale'),"
    " EXISTS (SELECT 1 FROM `strapi_core_store_settings`"
    " WHERE `key` = 'plugin_users-permissions_advanced')";

constexpr SqlPiece existing_migrations =
    "SELECT EXISTS (SELECT 1 FROM `strapi_migrations_internal`)";

struct InitialRole {
    std::string_view type;
    SqlPiece columns; // name, description, type
};
constexpr InitialRole authenticated{
    "authenticated",
    "'Authenticated', 'Default role given to authenticated user.', 'authenticated'"};
constexpr InitialRole everybody{
    "public", "'Public', 'Default role given to unauthenticated user.', 'public'"};

constexpr SqlPiece default_locale_setting =
    "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES"
    " ('plugin_i18n_default_locale', '\"en\"', 'string')";

constexpr SqlPiece advanced_settings =
    "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES"
    " ('plugin_users-permissions_advanced', '{\"unique_email\":true,\"allow_register\":true,"
    "\"email_confirmation\":false,\"email_reset_password\":null,"
    "\"email_confirmation_redirection\":null,\"default_role\":\"authenticated\"}', 'object')";

// Collects statements that insert rows of content types, in the layout of a version.
class RowStatements {
  public:
    explicit RowStatements(Layout const& layout) : layout_(layout) {}

    void add_role(InitialRole const& role, std::span<InitialRows::Grant const> grants) {
        add("up_roles", "`name`, `description`, `type`", role.columns,
            stable_document_id("plugin::users-permissions.role", role.type));
        statements_.push_back(SqlPiece("SET @role = LAST_INSERT_ID()"));
        for (auto const& [action, order] : grants) {
            add("up_permissions", "`action`", action,
                stable_document_id("plugin::users-permissions.permission",
                                   std::string(role.type) + ' ' + SqlText(action).str()));
            SqlText link;
            (link << "INSERT INTO ").name("up_permissions_role_" + std::string(layout_.links))
                << " (`permission_id`, `role_id`, ";
            link.name("permission_" + std::string(layout_.order))
                << ") VALUES (LAST_INSERT_ID(), @role, ";
            statements_.push_back(link.integer(order) << ")");
        }
    }

    void add_locale() {
        add("i18n_locale", "`name`, `code`", "'English (en)', 'en'",
            stable_document_id("plugin::i18n.locale", "en"));
    }

    void add_migration(SqlPiece name) {
        SqlText sql;
        sql << "INSERT INTO `strapi_migrations_internal` (`name`, `time`) VALUES (" << name
            << ", UTC_TIMESTAMP())";
        statements_.push_back(std::move(sql));
    }

    void add(SqlPiece statement) { statements_.push_back(statement); }

    std::vector<SqlText> statements() { return std::move(statements_); }

  private:
    void add(std::string_view table, SqlPiece columns, SqlPiece values,
             std::string const& document) {
        SqlText sql;
        (sql << "INSERT INTO ").name(table) << " (" << columns << ", `created_at`, `updated_at`";
        if (layout_.has_documents) sql << ", `published_at`, `document_id`";
        sql << ") VALUES (" << values << ", UTC_TIMESTAMP(3), UTC_TIMESTAMP(3)";
        if (layout_.has_documents) (sql << ", UTC_TIMESTAMP(3), ").text(document);
        statements_.push_back(sql << ")");
    }

    Layout const& layout_;
    std::vector<SqlText> statements_;
};

// Adds all that `table` has to the table of that name.
SqlText alter_table(TableDefinition const& table) {
    SqlText parts;
    auto const next = [&]() -> SqlText& { return parts.empty() ? parts : parts << ",\n  "; };
    for (auto const& column : table.columns)
        add_column(next() << "ADD COLUMN ", column);
    for (auto const& index : table.indexes)
        add_index(next() << "ADD ", index);
    for (auto const& key : table.foreign_keys)
        add_foreign_key(next() << "ADD ", key);
    SqlText sql;
    return (sql << "ALTER TABLE ").name(table.name) << "\n  " << parts;
}

// Tells which of the rows that Strapi and its plugins add to a new database exist.
struct FirstRows {
    bool authenticated_role = false;
    bool public_role = false;
    bool locale = false;         // any locale
    bool default_locale = false; // in the settings
    bool advanced_settings = false;
    bool migrations = false; // any; Strapi 5 only
};

// The tables must exist.
parser::Result<FirstRows> read_first_rows(Connection& connection, bool has_migrations) {
    auto rows = connection.query(existing_rows);
    if (!rows) return rows.error();
    rows->next();
    FirstRows found{rows->id(0) > 0, rows->id(1) > 0, rows->id(2) > 0, rows->id(3) > 0,
                    rows->id(4) > 0};
    if (!has_migrations) return found;
    auto migrations = connection.query(existing_migrations);
    if (!migrations) return migrations.error();
    migrations->next();
    found.migrations = migrations->id(0) > 0;
    return found;
}

// Returns statements that insert the missing rows. A role is inserted with the permissions that it
// has in a new project; those of an existing role stay as they are.
std::vector<SqlText> insert_first_rows(FirstRows const& existing, Cms const& cms) {
    RowStatements rows(cms.layout);
    if (!existing.authenticated_role) rows.add_role(authenticated, cms.initial.authenticated);
    if (!existing.public_role) rows.add_role(everybody, cms.initial.everybody);
    if (!existing.locale) rows.add_locale();
    if (!existing.default_locale) rows.add(default_locale_setting);
    if (!existing.advanced_settings) rows.add(advanced_settings);
    if (!existing.migrations)
        for (SqlPiece const name : cms.initial.migrations)
            rows.add_migration(name);
    return rows.statements();
}

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

    void add(TableDefinition table) {
        auto const* found = find_table(existing_, table.name);
        if (found) table = missing_parts(table, *found);
        created_.insert(table.name);
        TableDefinition later{.name = table.name};
        std::erase_if(table.foreign_keys, [&](ForeignKey const& key) {
            bool const waits = !find_table(existing_, key.table) && !created_.contains(key.table);
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
    static bool is_empty(TableDefinition const& parts) {
        return parts.columns.empty() && parts.indexes.empty() && parts.foreign_keys.empty();
    }

    ExistingTables const& existing_;
    SqlText const& defaults_;
    std::set<std::string> created_;
    std::vector<SqlText> statements_;
    std::vector<SqlText> last_;
};

} // namespace

SqlText create_table(TableDefinition const& table, SqlText const& defaults) {
    SqlText sql;
    (sql << "CREATE TABLE ").name(table.name)
        << " (\n  `id` int unsigned NOT NULL AUTO_INCREMENT PRIMARY KEY";
    for (auto const& column : table.columns)
        add_column(sql << ",\n  ", column);
    for (auto const& index : table.indexes)
        add_index(sql << ",\n  ", index);
    for (auto const& key : table.foreign_keys)
        add_foreign_key(sql << ",\n  ", key);
    return sql << "\n) ENGINE=InnoDB" << defaults;
}

parser::Result<std::vector<SqlText>> creation_of(Schema const& schema, Connection* connection,
                                                 std::string const& collation) {
    auto const tables = layout(schema);
    if (!tables) return tables.error();
    ExistingTables existing;
    FirstRows rows;
    bool is_utf8mb4 = true;
    if (connection) {
        auto found = read_existing_tables(*connection);
        if (!found) return found.error();
        existing = *std::move(found);
        auto const charset = default_charset(*connection);
        if (!charset) return charset.error();
        is_utf8mb4 = *charset == "utf8mb4";
    }
    bool const has_rows = find_table(existing, "up_roles") && find_table(existing, "i18n_locale") &&
                          find_table(existing, "strapi_core_store_settings");
    if (has_rows) {
        auto found =
            read_first_rows(*connection, find_table(existing, "strapi_migrations_internal"));
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
