#include "db/cms/access.hpp"

#include "db/mysql/server_error.hpp"

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/algorithm/string/trim.hpp>

#include <algorithm>

namespace db {

namespace {

constexpr std::string_view harmless[] = {"SELECT",  "USAGE", "SHOW VIEW",     "SHOW DATABASES",
                                         "PROCESS", "PROXY", "SLAVE MONITOR", "REPLICATION CLIENT"};

// Matches a pattern of LIKE, in which a backslash escapes the next sign.
bool matches(std::string_view pattern, std::string_view text) {
    if (pattern.empty()) return text.empty();
    if (pattern[0] == '%') {
        for (std::size_t skipped = 0; skipped <= text.size(); ++skipped)
            if (matches(pattern.substr(1), text.substr(skipped))) return true;
        return false;
    }
    if (text.empty()) return false;
    bool const is_any = pattern[0] == '_';
    if (pattern[0] == '\\' && pattern.size() > 1) pattern.remove_prefix(1);
    return (is_any || pattern[0] == text[0]) && matches(pattern.substr(1), text.substr(1));
}

// Returns whether `*.* TO …`, `` `cms`.* TO … ``, `` `cms`.`articles` TO … `` or `PROCEDURE …` is
// about the database. A name before `.*` is a pattern.
bool concerns(std::string_view object, std::string_view database) {
    if (object.starts_with("*.*")) return true;
    std::string name;
    std::size_t at = std::min(object.find('`'), object.size()) + 1;
    for (; at < object.size(); ++at) {
        if (object[at] == '`' && (at + 1 == object.size() || object[++at] != '`')) break;
        name += object[at];
    }
    if (at < object.size() && object.substr(at).starts_with(".*")) return matches(name, database);
    return name == database;
}

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
        if (parser::is_of_the_moment(rows.error().kind)) return rows.error();
        if (rows.error().kind == parser::ErrorKind::not_granted) found.push_back(table);
    }
    return found;
}

parser::Result<Account> read_account(Connection& connection) {
    auto rows = connection.query(SqlPiece("SELECT DATABASE(), CURRENT_USER()"));
    if (!rows) return rows.error();
    rows->next();
    Account account{.database = std::string(rows->text(0)), .name = {}};
    account.name = quoted_account(rows->text(1));
    return account;
}

// Reads rows like GRANT SELECT, INSERT ON `cms`.* TO …; a privilege on columns has these in
// parentheses.
parser::Result<std::vector<std::string>> more_than_reading(Connection& connection) {
    auto const account = read_account(connection);
    if (!account) return account.error();
    auto rows = connection.query(SqlPiece("SHOW GRANTS"));
    if (!rows) return rows.error();
    std::set<std::string> found;
    while (rows->next()) {
        std::string_view const grant = rows->text(0);
        auto const on = grant.find(" ON ");
        if (!grant.starts_with("GRANT ") || on == grant.npos) continue; // a role
        if (!concerns(grant.substr(on + 4), account->database)) continue;
        std::vector<std::string> privileges;
        boost::split(privileges, grant.substr(6, on - 6), boost::is_any_of(","));
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
