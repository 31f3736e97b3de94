#include "db/content/api_token.hpp"

#include "db/cms/accounts.hpp"
#include "db/cms/new_row.hpp"
#include "db/mysql/connection.hpp"
#include "db/schema/naming.hpp"

#include <openssl/rand.h>

#include <array>

namespace db {

namespace {

parser::Result<bool> find_name(Connection& connection, std::string const& name) {
    SqlText sql = SqlPiece("SELECT 1 FROM `strapi_api_tokens` WHERE `name` = ");
    auto const rows = connection.query(sql.text(name));
    if (!rows) return rows.error();
    return rows->rows() > 0;
}

std::string new_document_id() {
    std::array<unsigned char, 24> bytes{};
    RAND_bytes(bytes.data(), static_cast<int>(bytes.size()));
    return document_id(bytes);
}

SqlText insert_token(ContentType const& type, NewApiToken const& token) {
    NewRow row(type.table, type.has_documents, new_document_id());
    row.set("name", token.name).set("description", "").set("type", token.type);
    row.set("access_key", token.access_key);
    if (type.find("kind")) row.set("kind", content_kind);
    return row.sql();
}

SqlText insert_permission(ContentType const& type, std::string const& action) {
    NewRow row(type.table, type.has_documents, new_document_id());
    return row.set("action", action).sql();
}

SqlText insert_link(AccountRules const& rules, std::size_t order) {
    SqlText sql;
    sql << "INSERT INTO ";
    sql.name(rules.token_permission)
        << " SET `api_token_permission_id` = LAST_INSERT_ID(), `api_token_id` = @token, ";
    return (sql.name(rules.token_permission_order) << " = ").integer(std::uint64_t{order});
}

// After an error the caller closes the connection, which rolls back.
parser::Result<void> run(Connection& connection, std::vector<SqlText> const& statements) {
    for (auto const& statement : statements)
        if (auto done = connection.command(statement); !done) return done;
    return {};
}

} // namespace

parser::Result<void> insert_api_token(Connection& connection, Schema const& schema,
                                      NewApiToken const& token) {
    // If several are created at once with one name, the first one gets it.
    auto const is_ours = take_lock(connection, "populate-fcgi token", std::chrono::seconds(10));
    if (!is_ours) return is_ours.error();
    if (!*is_ours)
        return parser::Error{parser::ErrorKind::conflict, "another token is being created"};
    if (auto known = find_name(connection, token.name); !known)
        return known.error();
    else if (*known)
        return parser::invalid_value("name", "a name that no other token has", token.name);
    AccountRules const& rules = schema.cms.accounts;
    ContentType const& tokens = *schema.find("admin::api-token");
    ContentType const& permissions = *schema.find("admin::api-token-permission");
    std::vector<SqlText> statements{SqlPiece("START TRANSACTION"), insert_token(tokens, token),
                                    SqlPiece("SET @token = LAST_INSERT_ID()")};
    for (std::size_t i = 0; i < token.actions.size(); ++i) {
        statements.push_back(insert_permission(permissions, token.actions[i]));
        statements.push_back(insert_link(rules, i + 1));
    }
    statements.push_back(SqlPiece("COMMIT"));
    return run(connection, statements);
}

parser::Result<std::vector<ListedToken>> list_api_tokens(Connection& connection) {
    auto rows = connection.query(SqlPiece("SELECT `name`, `type`, `expires_at`"
                                          " FROM `strapi_api_tokens` ORDER BY `name`"));
    if (!rows) return rows.error();
    std::vector<ListedToken> tokens;
    while (rows->next()) {
        auto& token = tokens.emplace_back();
        token.name = rows->text(0);
        token.type = rows->text(1);
        token.expires = rows->text(2);
    }
    return tokens;
}

parser::Result<void> delete_api_token(Connection& connection, Schema const& schema,
                                      std::string const& name) {
    if (auto known = find_name(connection, name); !known)
        return known.error();
    else if (!*known)
        return parser::invalid_value("name", "the name of a token", name);
    char const* const links = schema.cms.accounts.token_permission;
    std::vector<SqlText> statements(4);
    statements[0] = SqlPiece("START TRANSACTION");
    // Deletes the links too; in Strapi's own tables foreign keys would also delete them.
    (statements[1] << "DELETE p, l FROM `strapi_api_token_permissions` p JOIN ").name(links)
        << " l ON l.`api_token_permission_id` = p.`id`"
           " JOIN `strapi_api_tokens` t ON t.`id` = l.`api_token_id` WHERE t.`name` = ";
    statements[1].text(name);
    (statements[2] << "DELETE FROM `strapi_api_tokens` WHERE `name` = ").text(name);
    statements[3] = SqlPiece("COMMIT");
    return run(connection, statements);
}

} // namespace db
