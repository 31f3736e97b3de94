#include "fcgi/check/address.hpp"
#include "fcgi/check/check.hpp"
#include "fcgi/check/cms_settings.hpp"
#include "fcgi/check/project_scripts.hpp"
#include "fcgi/check/secrets.hpp"
#include "fcgi/options/readable.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <functional>
#include <optional>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

// Whether two values are the same; empty if that is not known.
using Comparison = std::optional<bool>;

// Returns whether one of the values that may count is ours.
Comparison compare(CmsValues const& theirs,
                   std::function<Comparison(std::string const&)> const& is_ours) {
    Comparison result;
    for (CmsSetting const& setting : theirs) {
        auto const same = is_ours(setting.text);
        if (same.value_or(false)) return true;
        if (same && !setting.is_default) result = false;
    }
    return result;
}

// Where our database server is, as it reports itself.
struct Server {
    std::string port; // 0: it has none
    std::string socket;
};

std::optional<Server> ask_server(db::Connection* connection) {
    if (!connection) return std::nullopt;
    auto rows = connection->query(db::SqlPiece("SELECT @@port, @@socket"));
    if (!rows || !rows->next()) return std::nullopt;
    return Server{std::string(rows->text(0)), std::string(rows->text(1))};
}

Comparison any_of(std::vector<db::DatabaseUrl> const& urls,
                  std::function<Comparison(db::DatabaseUrl const&)> const& is_theirs) {
    Comparison result = false;
    for (db::DatabaseUrl const& url : urls) {
        auto const same = is_theirs(url);
        if (same.value_or(false)) return true;
        if (!same) result.reset();
    }
    return result;
}

class CmsCheck {
  public:
    CmsCheck(Options const& options, db::Connection* connection, bool has_set_up)
        : options_(options),
          cms_(read_cms_settings(project_folder(options.schema))),
          server_(ask_server(connection)),
          was_read_(connection && has_set_up),
          has_set_up_(has_set_up) {}

    std::vector<Finding> run();

  private:
    void check_client();
    void check_secrets();
    void check_database();
    Comparison compare_place() const;
    Comparison compare_port(std::string const& port) const;
    std::string url_of_theirs(bool is_same_place) const;
    void tell_not_compared();

    Options const& options_;
    CmsSettings cms_;
    std::optional<Server> server_;
    bool was_read_; // the database answers, and the CMS has set it up
    bool has_set_up_;
    std::vector<std::string> not_compared_;
    std::vector<Finding> findings_;
};

// A default of config/, for a variable that is not set, does not count against existing tables.
void CmsCheck::check_client() {
    auto const is_mysql =
        compare(cms_.client, [](std::string const& client) { return client.starts_with("mysql"); });
    if (is_mysql.value_or(was_read_) || cms_.client.empty()) return;
    auto const& first = cms_.client.front();
    findings_.push_back(
        {is_mysql ? Finding::problem : Finding::note,
         first.place() + " has the database client " + first.text +
             (is_mysql ? "" : ", unless the environment of the CMS sets another one"),
         "move the CMS to MySQL or MariaDB: no other database is supported"});
}

void CmsCheck::check_secrets() {
    auto const& [jwt, api_token_salt] = options_.secrets;
    for (SharedSecret const& secret :
         {SharedSecret{"jwt-secret", "JWT_SECRET", jwt, cms_.jwt_secret,
                       "its users must log in again"},
          SharedSecret{"api-token-salt", "API_TOKEN_SALT", api_token_salt, cms_.api_token_salt,
                       "its API tokens must be created again"}}) {
        std::ranges::move(check_secret(secret, options_, cms_), std::back_inserter(findings_));
        auto const is_ours = [&](std::string const& text) { return text == secret.ours; };
        if (!secret.ours.empty() && !compare(secret.theirs, is_ours))
            not_compared_.push_back(secret.option);
    }
}

Comparison CmsCheck::compare_port(std::string const& port) const {
    return any_of(options_.database_hosts.urls, [&](db::DatabaseUrl const& url) -> Comparison {
        if (url.socket.empty()) return std::to_string(url.port) == port;
        if (!server_) return std::nullopt;
        return server_->port == port;
    });
}

// Returns whether the database server is the same.
Comparison CmsCheck::compare_place() const {
    auto const& urls = options_.database_hosts.urls;
    if (!cms_.socket.empty())
        return compare(cms_.socket, [&](std::string const& path) -> Comparison {
            if (!server_) return std::nullopt;
            std::error_code error;
            return fs::equivalent(path, server_->socket, error) || path == server_->socket;
        });
    auto const host = compare(cms_.host, [&](std::string const& name) {
        return any_of(urls, [&](db::DatabaseUrl const& url) {
            return is_same_machine(url.socket.empty() ? url.host : "127.0.0.1", name);
        });
    });
    if (!host.value_or(false) || cms_.port.empty()) return host;
    return compare(cms_.port, [&](std::string const& port) { return compare_port(port); });
}

// Returns the URL that `database` should have.
std::string CmsCheck::url_of_theirs(bool is_same_place) const {
    auto const& ours = options_.database_hosts.first();
    auto const text = [](CmsValues const& values, std::string const& otherwise) {
        return values.empty() ? otherwise : values.front().text;
    };
    std::string url = "mysql://" + ours.user + '@';
    auto const name = '/' + text(cms_.database, ours.name);
    if (!cms_.socket.empty()) return url + "localhost" + name + "?socket=" + text(cms_.socket, "");
    if (is_same_place && !ours.socket.empty())
        return url + "localhost" + name + "?socket=" + ours.socket;
    return url + text(cms_.host, ours.host) + ':' + text(cms_.port, "3306") + name;
}

void CmsCheck::check_database() {
    if (options_.database.empty()) return;
    auto const& ours = options_.database_hosts.first();
    auto const name =
        compare(cms_.database, [&](std::string const& theirs) { return theirs == ours.name; });
    auto const place = compare_place();
    if (!name.value_or(true) || !place.value_or(true)) {
        auto const& setting = !name.value_or(true)  ? cms_.database.front()
                              : cms_.socket.empty() ? cms_.host.front()
                                                    : cms_.socket.front();
        findings_.push_back({Finding::problem,
                             "`database` names `" + ours.name + "` at " + ours.address() +
                                 ", but the CMS uses another database (" + setting.place() + ')',
                             "set database = \"" + url_of_theirs(place.value_or(true)) +
                                 "\", with the password of its account"});
    } else if (!name || !place) {
        not_compared_.push_back("database");
    }
}

void CmsCheck::tell_not_compared() {
    if (has_set_up_ && !not_compared_.empty()) {
        std::error_code error;
        bool const is_there = fs::exists(cms_.environment, error) || error;
        findings_.push_back(
            {Finding::not_compared,
             boost::join(not_compared_, ", ") + ": " +
                 (cms_.unread.empty()
                      ? cms_.environment.string() + " and config/ do not show the value"
                      : cms_.unread),
             is_there && !cms_.unread.empty()
                 ? "while the check runs: " + command_to_read_file_of_others(cms_.environment)
                 : "make sure that they are the same in the environment of the CMS"});
    }
    auto const project = project_folder(options_.schema);
    for (fs::path const& script : unread_scripts(project))
        findings_.push_back({Finding::not_compared, script.string() + " cannot be read",
                             command_to_read_file_of_others(script)});
    std::error_code error;
    if (has_set_up_ && !fs::exists(project / "config", error) && !error)
        findings_.push_back(
            {Finding::not_compared,
             "prefix, limits and CORS: there is no " + (project / "config").string(),
             "copy this folder from the project of the CMS, without its secrets"});
}

std::vector<Finding> CmsCheck::run() {
    check_client();
    check_secrets();
    check_database();
    if (!options_.schema.empty()) tell_not_compared();
    return std::move(findings_);
}

} // namespace

std::vector<Finding> check_cms(Options const& options, db::Connection* connection,
                               bool has_set_up) {
    return CmsCheck(options, connection, has_set_up).run();
}

} // namespace fcgi
