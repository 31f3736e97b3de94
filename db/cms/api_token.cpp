#include "db/cms/api_token.hpp"

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

SqlText insert_token(NewApiToken const& token) {
    SqlText sql;
    sql << "INSERT INTO `strapi_api_tokens`"
           " (`name`, `description`, `type`, `access_key`, `created_at`, `updated_at`) VALUES (";
    (sql.text(token.name) << ", '', ").text(token.type) << ", ";
    return sql.text(token.access_key) << ", UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";
}

SqlText insert_permission(std::string const& action) {
    SqlText sql;
    sql << "INSERT INTO `strapi_api_token_permissions` (`action`, `created_at`, `updated_at`)"
           " VALUES (";
    return sql.text(action) << ", UTC_TIMESTAMP(3), UTC_TIMESTAMP(3))";
}

SqlText insert_link(std::size_t order) {
    SqlText sql;
    sql << "INSERT INTO `strapi_api_token_permissions_token_links`"
           " (`api_token_permission_id`, `api_token_id`, `api_token_permission_order`)"
           " VALUES (LAST_INSERT_ID(), @token, ";
    return sql.integer(std::uint64_t{order}) << ")";
}

} // namespace

parser::Result<void> insert_api_token(Connection& connection, NewApiToken const& token) {
    if (auto checked = check_name(connection, token.name); !checked) return checked;
    std::vector<SqlText> statements{SqlPiece("START TRANSACTION"), insert_token(token),
                                    SqlPiece("SET @token = LAST_INSERT_ID()")};
    for (std::size_t i = 0; i < token.actions.size(); ++i) {
        statements.push_back(insert_permission(token.actions[i]));
        statements.push_back(insert_link(i + 1));
    }
    statements.push_back(SqlPiece("COMMIT"));
    // After an error the caller closes the connection, which rolls back.
    for (auto const& statement : statements)
        if (auto done = connection.command(statement); !done) return done;
    return {};
}

} // namespace db
