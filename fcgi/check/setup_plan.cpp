#include "fcgi/check/setup_plan.hpp"

#include "db/mysql/server_error.hpp"
#include "parser/base/units.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/url/url.hpp>

#include <charconv>

#include <pwd.h>
#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;
using db::SqlText;
using parser::Result;

SqlText account(std::string const& user) {
    return std::move(SqlText().name(user) << "@`localhost`");
}

SqlText create_user(std::string const& user, bool is_mariadb) {
    SqlText sql("CREATE USER ");
    sql << account(user);
    if (is_mariadb) return std::move(sql << " IDENTIFIED VIA unix_socket");
    return std::move(sql << " IDENTIFIED WITH auth_socket");
}

SqlText drop_user(std::string const& user) {
    return std::move(SqlText("DROP USER ") << account(user));
}

SqlText grant(std::string const& database, std::string const& user) {
    SqlText sql("GRANT SELECT ON ");
    sql.name(db::granted_name(database)) << ".* TO ";
    return std::move(sql << account(user));
}

SqlText revoke(std::string const& database, std::string const& user) {
    SqlText sql("REVOKE SELECT ON ");
    sql.name(db::granted_name(database)) << ".* FROM ";
    return std::move(sql << account(user));
}

Result<bool> has_rows(db::Connection& connection, SqlText const& sql) {
    auto const rows = connection.query(sql);
    if (!rows) return rows.error();
    return rows->rows() > 0;
}

parser::Error expected(std::string message) {
    return {parser::ErrorKind::configuration, std::move(message)};
}

// The URL also fits between single quotes.
std::string url_of(db::DatabaseUrl const& database) {
    boost::urls::url url;
    url.set_scheme("mysql");
    url.set_user(database.user);
    url.set_host(database.host);
    if (database.port != db::DatabaseUrl().port && database.socket.empty())
        url.set_port_number(static_cast<std::uint16_t>(database.port));
    url.set_path_absolute(true);
    url.segments().push_back(database.name);
    if (!database.socket.empty()) url.params().append({"socket", database.socket});
    return boost::replace_all_copy(std::string(url.buffer()), "'", "%27");
}

bool is_same(std::string const& name, std::string const& one, std::string const& other) {
    if (name != "database" || one == other) return one == other;
    auto const left = db::parse_database_url(one), right = db::parse_database_url(other);
    return left && right && left->urls == right->urls && left->rules == right->rules;
}

fs::path absolute(fs::path const& path) {
    auto const normal = fs::absolute(path).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path();
}

bool is_this_machine(std::string const& host) {
    return host == "localhost" || host == "127.0.0.1" || host == "::1";
}

class Planner {
  public:
    Planner(SetupOrder const& order, Options const& options) : order_(order), options_(options) {}
    Result<SetupPlan> plan();

  private:
    Result<void> read();
    Result<void> want_secret(std::string const& option, ProjectFacts::Fact const& fact);
    Result<void> want_database();
    Result<db::DatabaseUrl> database_of_project() const;
    Result<void> find_account(db::DatabaseUrl url);
    parser::Error made_by_hand(db::DatabaseUrl const& url) const;
    parser::Error made_elsewhere(db::DatabaseUrl const& url) const;
    parser::Error untold(std::string const& option, parser::Error const& why) const;
    bool is_set(std::string const& option) const { return !plan_.settings.value(option).empty(); }
    std::string again() const { return "populate-fcgi setup " + order_.projects.front(); }

    SetupOrder const& order_;
    Options const& options_;
    SetupPlan plan_;
};

parser::Error Planner::untold(std::string const& option, parser::Error const& why) const {
    return expected(why.message + "; fix: set `" + option + "` in " + plan_.path.string() +
                    ", and run the same command again");
}

Result<void> Planner::read() {
    if (::geteuid() != 0)
        return expected("only root may create the account and write the settings; run: sudo " +
                        again());
    passwd const* const account = ::getpwnam(order_.user.c_str());
    if (!account)
        return expected("the system has no user " + order_.user +
                        ", which would run populate-fcgi; fix: adduser --system --group " +
                        order_.user);
    plan_.group = account->pw_gid;
    if (options_.configuration.empty())
        return expected("there is no settings file; fix: name the file to write with --config");
    plan_.path = absolute(options_.configuration);
    plan_.project = absolute(order_.projects.front());
    std::error_code error;
    if (!fs::is_directory(plan_.project / "src" / "api", error))
        return expected(plan_.project.string() + " is not a Strapi project: it has no src/api/");
    auto settings = SettingsText::read(plan_.path);
    if (!settings) return settings.error();
    plan_.settings = *std::move(settings);
    plan_.facts = read_project_facts(plan_.project, order_.env_file);
    return {};
}

// If the secret cannot be read, the settings may have it already.
Result<void> Planner::want_secret(std::string const& option, ProjectFacts::Fact const& fact) {
    if (plan_.wanted.contains(option) || (!fact && is_set(option))) return {};
    if (!fact) return untold(option, fact.error());
    if (!fact->empty()) plan_.wanted[option] = *fact;
    return {};
}

// Returns the database as the CMS reaches it, with our user.
Result<db::DatabaseUrl> Planner::database_of_project() const {
    auto const& facts = plan_.facts;
    for (auto const* fact :
         {&facts.client, &facts.database, &facts.host, &facts.port, &facts.socket})
        if (!*fact) return untold("database", fact->error());
    if (!facts.client->empty() && !facts.client->starts_with("mysql"))
        return expected("the project's database is " + *facts.client +
                        ", but only MySQL and MariaDB are supported");
    if (facts.database->empty())
        return untold("database", expected("the project does not show which database it uses"));
    db::DatabaseUrl url;
    url.user = order_.user;
    url.name = *facts.database;
    url.host = facts.host->empty() ? "localhost" : *facts.host;
    if (auto const port = parser::read_number(*facts.port)) url.port = static_cast<unsigned>(*port);
    return url;
}

Result<void> Planner::want_database() {
    auto url = database_of_project();
    bool const is_here = url && (!plan_.facts.socket->empty() || is_this_machine(url->host));
    if (is_here) return find_account(*std::move(url));
    if (is_set("database")) return {};
    return url ? made_elsewhere(*url) : url.error();
}

Result<void> Planner::find_account(db::DatabaseUrl url) {
    auto const& named = *plan_.facts.socket;
    auto const port = url.port;
    url.host = "localhost";
    url.port = db::DatabaseUrl().port;
    url.socket = named.empty() ? order_.socket : named;
    plan_.wanted["database"] = url_of(url);
    plan_.wanted["database-password-file"]; // the account has none
    auto administrator = url;
    administrator.user = "root";
    auto account = ReaderAccount::find(administrator, order_.user);
    if (!account) {
        auto error = account.error();
        error.cause += made_by_hand(url).message;
        return error;
    }
    if (named.empty() && account->port() != 0 && account->port() != port)
        return expected("the server at " + url.socket + " has the port " +
                        std::to_string(account->port()) + ", but the CMS's server has the port " +
                        std::to_string(port) +
                        "; fix: name the socket of the CMS's server with --socket");
    plan_.account = *std::move(account);
    return {};
}

parser::Error Planner::made_by_hand(db::DatabaseUrl const& url) const {
    auto const account = db::quoted_account(order_.user, "localhost");
    return expected("\nYou can create the account by hand, as an administrator of the server (on "
                    "MySQL with `IDENTIFIED WITH auth_socket`):\n    CREATE USER " +
                    account + " IDENTIFIED VIA unix_socket;\n    " +
                    db::grant_of_reading(url.name, account) + ";\nThen type\n    " + again() +
                    " --database '" + url_of(url) + '\'');
}

parser::Error Planner::made_elsewhere(db::DatabaseUrl const& url) const {
    auto const account = db::quoted_account(order_.user, "%");
    return expected("the database is on " + url.host +
                    ". Create an account there that may only read:\n    CREATE USER " + account +
                    " IDENTIFIED BY '…';\n    " + db::grant_of_reading(url.name, account) +
                    ";\nPut its password into a file that " + order_.user +
                    " may read, and type\n    " + again() + " --database '" + url_of(url) +
                    "' --database-password-file FILE");
}

// Options of the command override what the project says.
Result<SetupPlan> Planner::plan() {
    if (auto done = read(); !done) return done.error();
    for (auto const& [name, value] : options_.written)
        if (!value.empty() && name != "config")
            plan_.wanted[name] = name.ends_with("-file") ? absolute(value).string() : value;
    plan_.wanted["schema"] = plan_.project;
    if (auto done = want_secret("jwt-secret", plan_.facts.jwt_secret); !done) return done.error();
    if (auto done = want_secret("api-token-salt", plan_.facts.api_token_salt); !done)
        return done.error();
    if (plan_.wanted.contains("database"))
        plan_.wanted["database-password-file"]; // unset unless given: it is for another database
    else if (auto done = want_database(); !done)
        return done.error();
    for (auto const& [name, value] : plan_.wanted)
        if (!is_same(name, plan_.settings.value(name), value)) plan_.changes.push_back(name);
    return std::move(plan_);
}

} // namespace

Result<ReaderAccount> ReaderAccount::find(db::DatabaseUrl const& server, std::string const& user) {
    auto connection = db::Connection::open(server, db::owner_session);
    if (!connection) return connection.error();
    ReaderAccount found(*std::move(connection));
    auto facts = found.connection_->query(
        found.is_mariadb()
            ? db::SqlPiece("SELECT @@port, @@log_bin = 1 AND @@binlog_format = 'ROW'")
            : db::SqlPiece("SELECT @@port, @@log_bin = 1 AND @@binlog_format = 'ROW' AND "
                           "@@gtid_mode = 'ON'"));
    if (!facts) return facts.error();
    facts->next();
    auto const port = facts->text(0);
    std::from_chars(port.data(), port.data() + port.size(), found.port_);
    found.logs_rows_ = facts->text(1) == "1";

    SqlText of_user("SELECT 1 FROM mysql.user WHERE Host = 'localhost' AND User = ");
    auto const is_there = has_rows(*found.connection_, of_user.text(user));
    if (!is_there) return is_there.error();
    SqlText of_grant(
        "SELECT 1 FROM mysql.db WHERE Host = 'localhost' AND Select_priv = 'Y' AND User = ");
    of_grant.text(user) << " AND Db = ";
    auto const may_read =
        has_rows(*found.connection_, of_grant.text(db::granted_name(server.name)));
    if (!may_read) return may_read.error();
    if (!*is_there)
        found.steps_.push_back({create_user(user, found.is_mariadb()), drop_user(user)});
    if (!*may_read) found.steps_.push_back({grant(server.name, user), revoke(server.name, user)});
    return found;
}

std::vector<SqlText> ReaderAccount::statements() const {
    std::vector<SqlText> statements;
    for (Step const& step : steps_)
        statements.push_back(step.make);
    return statements;
}

Result<void> ReaderAccount::make() {
    for (Step const& step : steps_) {
        auto done = connection_->command(step.make);
        if (!done) {
            auto error = done.error();
            constexpr auto not_loaded = "'auth_socket' is not loaded";
            if (error.cause.find(not_loaded) != error.cause.npos)
                error.cause += "; fix: INSTALL PLUGIN auth_socket SONAME 'auth_socket.so', as an "
                               "administrator of the server";
            return error;
        }
        ++made_;
    }
    return {};
}

Result<void> ReaderAccount::take_back() {
    std::string left;
    parser::Error why;
    for (; made_ > 0; --made_)
        if (auto done = connection_->command(steps_[made_ - 1].undo); !done) {
            left += "\n    " + steps_[made_ - 1].undo.str() + ';';
            why = done.error();
        }
    if (left.empty()) return {};
    why.cause +=
        "\nThese statements remain for you to type, as an administrator of the server:" + left;
    return why;
}

Result<SetupPlan> plan_setup(SetupOrder const& order, Options const& options) {
    return Planner(order, options).plan();
}

std::string shown_setting(std::string const& name, std::string const& value) {
    bool is_secret = name == "jwt-secret" || name == "api-token-salt";
    if (name == "database") {
        auto const database = db::parse_database_url(value);
        is_secret = !database || !database->first().password.empty();
    }
    return name + " = " + (is_secret ? "…" : value);
}

} // namespace fcgi
