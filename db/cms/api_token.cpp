#include "db/cms/api_token.hpp"

#include "db/cms/account_rules.hpp"
#include "db/cms/accounts.hpp"

#include <openssl/rand.h>

#include <array>

namespace db {

namespace {

parser::Result<void> check_name(Connection& connection, std::string const& name) {
    SqlText sql = SqlPiece("SELECT 1 FROM `strapi_api_tokens` WHERE `name` = ");
    auto const rows = connection.query(sql.text(name));
    if (!rows) return rows.error();
    if (rows->rows() > 0)
        return parser::invalid_value("name", "a name that no other token has", name);
    return {};
}

// A letter and 23 letters or digits, as Strapi 5.54 makes them.
std::string new_document_id() {
    constexpr std::string_view signs = "abcdefghijklmnopqrstuvwxyz0123456789";
    constexpr std::size_t letters = 26;
    std::array<unsigned char, 24> bytes{};
    RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
    std::string id;
    for (unsigned char const byte : bytes)
        id += signs[byte % (id.empty() ? letters : signs.size())];
    return id;
}

// A row of a content type of the CMS.
class Insertion {
  public:
    Insertion(SqlPiece table, ContentType const& type) {
        sql_ << "INSERT INTO ";
        sql_ << table;
        sql_ << " SET `created_at` = UTC_TIMESTAMP(3), `updated_at` = UTC_TIMESTAMP(3)";
        if (!type.has_documents) return;
        sql_ << ", `published_at` = UTC_TIMESTAMP(3)";
        set(document_column, new_document_id());
    }

    Insertion& set(std::string_view column, std::string_view value) {
        sql_ << ", ";
        sql_.name(column) << " = ";
        sql_.text(value);
        return *this;
    }

    SqlText const& sql() const { return sql_; }

  private:
    SqlText sql_;
};

SqlText insert_token(ContentType const& type, NewApiToken const& token) {
    Insertion row("`strapi_api_tokens`", type);
    row.set("name", token.name).set("description", "").set("type", token.type);
    row.set("access_key", token.access_key);
    if (type.find("kind")) row.set("kind", content_kind);
    return row.sql();
}

SqlText insert_permission(ContentType const& type, std::string const& action) {
    return Insertion("`strapi_api_token_permissions`", type).set("action", action).sql();
}

SqlText insert_link(AccountRules const& rules, std::size_t order) {
    SqlText sql;
    sql << "INSERT INTO ";
    sql.name(rules.token_permission)
        << " SET `api_token_permission_id` = LAST_INSERT_ID(), `api_token_id` = @token, ";
    return (sql.name(rules.token_permission_order) << " = ").integer(std::uint64_t{order});
}

} // namespace

parser::Result<void> insert_api_token(Connection& connection, Schema const& schema,
                                      NewApiToken const& token) {
    if (auto checked = check_name(connection, token.name); !checked) return checked;
    AccountRules const& rules = account_rules(schema.version);
    ContentType const& tokens = *schema.find("admin::api-token");
    ContentType const& permissions = *schema.find("admin::api-token-permission");
    std::vector<SqlText> statements{SqlPiece("START TRANSACTION"), insert_token(tokens, token),
                                    SqlPiece("SET @token = LAST_INSERT_ID()")};
    for (std::size_t i = 0; i < token.actions.size(); ++i) {
        statements.push_back(insert_permission(permissions, token.actions[i]));
        statements.push_back(insert_link(rules, i + 1));
    }
    statements.push_back(SqlPiece("COMMIT"));
    // After an error the caller closes the connection, which rolls back.
    for (auto const& statement : statements)
        if (auto done = connection.command(statement); !done) return done;
    return {};
}

} // namespace db
