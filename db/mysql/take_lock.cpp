#include "db/mysql/take_lock.hpp"

namespace db {

parser::Result<bool> take_lock(Connection& connection, std::string_view name,
                               std::chrono::seconds wait) {
    SqlText sql(SqlPiece("SELECT GET_LOCK(CONCAT("));
    sql.text(name) << ", ' ', LEFT(SHA2(DATABASE(), 256), 32)), ";
    sql.integer(static_cast<std::uint64_t>(wait.count())) << ")";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    return !rows->next() || rows->text(0) != "0";
}

} // namespace db
