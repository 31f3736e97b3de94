#include "fcgi/check/setup_plan.hpp"

#include "db/mysql/server_error.hpp"
#include "fcgi/check/variables.hpp"
#include "fcgi/options/described.hpp"
#include "parser/base/units.hpp"

#include <boost/algorithm/string/replace.hpp>
#include <boost/url/url.hpp>

#include <charconv>

#include <pwd.h>

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

// What nobody but the owner can tell, gathered so that it is told at once.
struct Missing {
    std::string reasons;                // a line each, or several
    std::vector<std::string> variables; // those of secrets
    std::string arguments;              // for the next attempt
    parser::ErrorKind kind = parser::ErrorKind::configuration;
};

class Planner {
  public:
    Planner(SetupOrder const& order, Options const& options) : order_(order), options_(options) {}
    Result<SetupPlan> plan();

  private:
    Result<void> read();
    void read_description();
    void want_secret(std::string const& option, std::string_view member, std::string const& usual);
    Result<void> want_database();
    Result<void> find_account(db::DatabaseUrl url);
    void miss_database(db::DatabaseUrl const& url, std::string const& host,
                       std::string const& identified, std::string const& arguments);
    parser::Error missing() const;
    std::string said(std::string_view place) const {
        return cms_ ? described_text(*cms_, place) : std::string();
    }
    bool is_set(std::string const& option) const { return !plan_.settings.value(option).empty(); }

    SetupOrder const& order_;
    Options const& options_;
    std::optional<db::Description> cms_;
    Result<Variables> variables_;
    Missing missing_;
    SetupPlan plan_;
};

Result<void> Planner::read() {
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
    variables_ = order_.env_file.empty() ? read_project_variables(plan_.project)
                                         : read_variables(order_.env_file);
    read_description();
    return {};
}

void Planner::read_description() {
    if (options_.description.empty()) return;
    auto cms = db::read_description(options_.description);
    if (cms)
        cms_ = *std::move(cms);
    else
        missing_.reasons += "\n    " + cms.error().message;
    plan_.cms_user = said("/database/user");
    plan_.cms_port = said("/server/port");
}

// If the secret is not known, the settings may have it already.
void Planner::want_secret(std::string const& option, std::string_view member,
                          std::string const& usual) {
    auto const described = cms_ ? described_variable(*cms_, member) : usual;
    bool const has_none = described && described->empty();
    if (has_none || plan_.wanted.contains(option)) return;
    bool const may_look = described || !order_.env_file.empty();
    auto const& variable = described ? *described : usual;
    auto value = may_look ? value_of(variables_, variable) : described;
    if (value && !value->empty()) plan_.wanted[option] = *value;
    if (value || is_set(option)) return;
    missing_.reasons += "\n    " + option + ": " + value.error().message;
    missing_.variables.push_back(variable);
}

Result<void> Planner::want_database() {
    auto const client = said("/database/client"), name = said("/database/name"),
               host = said("/database/host"), socket = said("/database/socket");
    if (!client.empty() && !client.starts_with("mysql"))
        return expected("the project's database is " + client +
                        ", but only MySQL and MariaDB are supported");
    db::DatabaseUrl url;
    url.user = order_.user;
    url.name = name;
    url.host = host.empty() ? "localhost" : host;
    if (auto const port = parser::read_number(said("/database/port")))
        url.port = static_cast<unsigned>(*port);
    url.socket = socket;
    bool const is_here = !socket.empty() || is_this_machine(url.host);
    if (!name.empty() && is_here) return find_account(std::move(url));
    if (is_set("database")) return {};
    if (name.empty()) {
        missing_.reasons += "\n    database: the CMS does not say which one it uses";
        missing_.arguments += " --database 'mysql://USER@HOST/NAME' --database-password-file FILE";
    } else {
        missing_.reasons += "\n    the database is on " + url.host + '.';
        miss_database(url, "%", "IDENTIFIED BY '…'", " --database-password-file FILE");
    }
    return {};
}

// Tells how the account is made by hand.
void Planner::miss_database(db::DatabaseUrl const& url, std::string const& host,
                            std::string const& identified, std::string const& arguments) {
    auto const account = db::quoted_account(order_.user, host);
    missing_.reasons += " Create an account there that may only read:\n    CREATE USER " + account +
                        ' ' + identified + ";\n    " + db::grant_of_reading(url.name, account) +
                        ';';
    missing_.arguments += " --database '" + url_of(url) + '\'' + arguments;
}

Result<void> Planner::find_account(db::DatabaseUrl url) {
    auto const named = url.socket;
    auto const port = url.port;
    url.host = "localhost";
    url.port = db::DatabaseUrl().port;
    url.socket = named.empty() ? order_.socket : named;
    auto administrator = url;
    administrator.user = "root";
    auto account = ReaderAccount::find(administrator, order_.user);
    if (!account) {
        missing_.kind = account.error().kind;
        missing_.reasons += "\n    " + account.error().cause +
                            ". On MySQL, write WITH auth_socket for VIA unix_socket.";
        miss_database(url, "localhost", "IDENTIFIED VIA unix_socket", "");
        return {};
    }
    if (named.empty() && account->port() != 0 && account->port() != port)
        return expected("the server at " + url.socket + " has the port " +
                        std::to_string(account->port()) + ", but the CMS's server has the port " +
                        std::to_string(port) +
                        "; fix: name the socket of the CMS's server with --socket");
    plan_.wanted["database"] = url_of(url);
    plan_.wanted["database-password-file"]; // the account has none
    plan_.account = *std::move(account);
    return {};
}

parser::Error Planner::missing() const {
    std::string text = "not all is known that populate-fcgi needs:" + missing_.reasons +
                       "\nType\n    populate-fcgi setup " + order_.projects.front();
    if (auto const& file = options_.written.at("description"); !file.empty())
        text += " --description " + file;
    if (!missing_.variables.empty()) text += " --env-file SECRETS";
    text += missing_.arguments;
    for (std::string const& variable : missing_.variables)
        text += (&variable == &missing_.variables.front() ? "\nwhere SECRETS is a file with "
                                                          : " and ") +
                variable + "=…";
    return {missing_.kind, text, text};
}

// Options of the command override what the CMS says.
Result<SetupPlan> Planner::plan() {
    if (auto done = read(); !done) return done.error();
    for (auto const& [name, value] : options_.written)
        if (!value.empty() && name != "config")
            plan_.wanted[name] =
                name.ends_with("-file") || name == "description" ? absolute(value).string() : value;
    plan_.wanted["schema"] = plan_.project;
    want_secret("jwt-secret", "jwtSecret", "JWT_SECRET");
    want_secret("api-token-salt", "apiTokenSalt", "API_TOKEN_SALT");
    if (plan_.wanted.contains("database"))
        plan_.wanted["database-password-file"]; // unset unless given: it is for another database
    else if (auto done = want_database(); !done)
        return done.error();
    if (!missing_.variables.empty() || !missing_.arguments.empty()) return missing();
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
