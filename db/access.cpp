#include "db/access.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>

namespace db {

namespace {

constexpr std::string_view denied = "database error 1142:";
constexpr std::string_view harmless[] = {"SELECT",         "USAGE",   "SHOW VIEW",
                                         "SHOW DATABASES", "PROCESS", "PROXY"};

} // namespace

std::set<std::string> tables_of(Schema const& schema) {
    std::set<std::string> tables;
    for (auto const& [uid, type] : schema.types) {
        tables.insert(type->table);
        for (Attribute const& attribute : type->attributes)
            if (!attribute.link.table.empty()) tables.insert(attribute.link.table);
    }
    return tables;
}

parser::Result<std::vector<std::string>> unreadable(Connection& connection,
                                                    std::set<std::string> const& tables) {
    std::vector<std::string> found;
    for (std::string const& table : tables) {
        SqlText sql;
        sql << "SELECT 1 FROM ";
        sql.name(table) << " LIMIT 0";
        auto const rows = connection.query(sql);
        if (rows) continue;
        if (rows.error().status == 503) return rows.error();
        if (rows.error().cause.starts_with(denied)) found.push_back(table);
    }
    return found;
}

// GRANT SELECT, INSERT ON `cms`.* TO …; a privilege on columns has these in parentheses.
parser::Result<std::vector<std::string>> more_than_reading(Connection& connection) {
    auto rows = connection.query(SqlPiece("SHOW GRANTS"));
    if (!rows) return rows.error();
    std::set<std::string> found;
    while (rows->next()) {
        std::string_view grant = rows->text(0);
        if (!grant.starts_with("GRANT ") || grant.find(" ON ") == grant.npos) continue; // a role
        grant = grant.substr(6, grant.find(" ON ") - 6);
        std::vector<std::string> privileges;
        boost::split(privileges, grant, boost::is_any_of(","));
        for (std::string& privilege : privileges) {
            privilege.resize(std::min(privilege.find('('), privilege.size()));
            boost::trim(privilege);
            if (std::ranges::find(harmless, privilege) == std::end(harmless))
                found.insert(privilege);
        }
    }
    return std::vector(found.begin(), found.end());
}

} // namespace db
