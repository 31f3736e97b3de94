#include "fcgi/check/check.hpp"
#include "fcgi/check/project_scripts.hpp"
#include "fcgi/options/option_sources.hpp"
#include "fcgi/options/readable.hpp"

#include <boost/algorithm/string/case_conv.hpp>
#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

namespace fcgi {

namespace {

namespace fs = std::filesystem;

using Addresses = std::shared_ptr<addrinfo const>;

Addresses addresses_of(std::string const& name) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_DGRAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(name.c_str(), nullptr, &wanted, &found) != 0) return nullptr;
    return {found, ::freeaddrinfo};
}

// The system binds a socket only to an address of this machine.
bool is_own(addrinfo const& address) {
    int const socket = ::socket(address.ai_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (socket < 0) return false;
    bool const bound = ::bind(socket, address.ai_addr, address.ai_addrlen) == 0;
    ::close(socket);
    return bound;
}

bool is_any_own(Addresses const& addresses) {
    for (auto const* at = addresses.get(); at; at = at->ai_next)
        if (is_own(*at)) return true;
    return false;
}

std::vector<std::string> bytes_of(Addresses const& addresses) {
    std::vector<std::string> found;
    for (auto const* at = addresses.get(); at; at = at->ai_next)
        found.emplace_back(reinterpret_cast<char const*>(at->ai_addr), at->ai_addrlen);
    return found;
}

// A secret that has to be the same in the CMS and in our settings.
struct SharedSecret {
    std::string option;
    std::string variable; // of .env, as a rule
    std::string const& ours;
    CmsValues const& theirs;
    std::string loses; // what happens once it is another
};

// Texts that templates, examples and our own guides have in place of a secret, in lower case.
constexpr std::string_view examples[] = {
    "tobemodified", "changeme",    "change-me",      "secret",          "jwt_secret",
    "mysecret",     "my-secret",   "api_token_salt", "your-jwt-secret", "your_jwt_secret",
    "yoursecret",   "your-secret", "supersecret"};
constexpr std::size_t shortest_secret = 16;

// Returns why others could guess the secret; empty if they could not.
std::string weakness(std::string const& secret) {
    auto const lower = boost::to_lower_copy(secret, std::locale::classic());
    bool const is_example = std::ranges::any_of(
        examples, [&](std::string_view example) { return lower.starts_with(example); });
    if (is_example) return " is a well-known example value";
    return secret.size() < shortest_secret ? " is shorter than 16 characters" : "";
}

// Returns a command that deletes the lines that set `name`, and ends the last line that is left.
std::string command_to_delete(std::string const& name, std::string const& file) {
    return "sed -i -e '/^ *" + name + " *=/d' -e '$a\\' " + file + " && ";
}

// Returns a command that writes the CMS's secret into our settings without showing it. Values are
// written in .env as in our settings.
std::string command_to_take(SharedSecret const& secret, std::string const& variable,
                            Options const& options, fs::path const& environment) {
    auto const file = shell_word(environment.string());
    auto const lines = "^(export +)?" + variable + " *=";
    auto const own = environment_name(secret.option);
    if (std::getenv(own.c_str()))
        return "export " + own + "=\"$(sed -nE 's/" + lines + " *//p' " + file +
               " | tr -d \"\\\"'\")\"";
    if (options.configuration.empty())
        return "set " + secret.option + " to " + variable + " of " + environment.string();
    auto const settings = shell_word(options.configuration);
    return command_to_delete(secret.option, settings) + "sed -nE 's/" + lines + '/' +
           secret.option + " =/p' " + file + " >>" + settings;
}

// Returns a command that makes a secret for the CMS.
std::string command_to_make(CmsSetting const& theirs) {
    auto const file = shell_word(theirs.file);
    return command_to_delete(theirs.variable, file) + "openssl rand -base64 32 | sed 's/^/" +
           theirs.variable + "=/' >>" + file;
}

// Returns whether .env is there unread, or may be where this account may not look.
bool is_hidden(CmsSettings const& cms) {
    std::error_code error;
    return !cms.unread.empty() && (fs::exists(cms.environment, error) || error);
}

// `theirs` is null if it is not known.
std::string fix_of_another(SharedSecret const& secret, CmsSetting const* theirs,
                           Options const& options, CmsSettings const& cms) {
    if (theirs && theirs->variable.empty())
        return "set " + secret.option + " to the value in " + theirs->file;
    if (theirs || is_hidden(cms))
        return command_to_take(secret, theirs ? theirs->variable : secret.variable, options,
                               cms.environment);
    return "set " + secret.option + " to " + secret.variable + " of the CMS";
}

// Returns what is wrong with ours, if it is set: it is not theirs, or others know it.
std::vector<Finding> check_secret(SharedSecret const& secret, Options const& options,
                                  CmsSettings const& cms) {
    if (secret.ours.empty()) return {};
    auto const weak = weakness(secret.ours);
    auto const theirs = std::ranges::find(secret.theirs, secret.ours, &CmsSetting::text);
    if (theirs != secret.theirs.end()) {
        if (weak.empty()) return {};
        return {{Finding::problem, secret.option + weak + ", and so is that of the CMS",
                 "restart the CMS after this command and check again; " + secret.loses + ": " +
                     command_to_make(*theirs)}};
    }
    auto const other = std::ranges::find(secret.theirs, false, &CmsSetting::is_default);
    if (other != secret.theirs.end())
        return {{Finding::problem,
                 secret.option + (weak.empty() ? "" : weak + ", and") + " differs from " +
                     other->place(),
                 fix_of_another(secret, &*other, options, cms)}};
    if (weak.empty()) return {};
    return {
        {Finding::problem, secret.option + weak, fix_of_another(secret, nullptr, options, cms)}};
}

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
struct ServerPlace {
    std::string port; // 0: it has none
    std::string socket;
};

std::optional<ServerPlace> ask_server(db::Connection* connection) {
    if (!connection) return std::nullopt;
    auto rows = connection->query(db::SqlPiece("SELECT @@port, @@socket"));
    if (!rows || !rows->next()) return std::nullopt;
    return ServerPlace{std::string(rows->text(0)), std::string(rows->text(1))};
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
    std::optional<ServerPlace> server_;
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

std::optional<bool> is_same_machine(std::string const& one, std::string const& other) {
    auto const first = addresses_of(one);
    auto const second = addresses_of(other);
    if (!first || !second) return std::nullopt;
    if (is_any_own(first) && is_any_own(second)) return true;
    auto const known = bytes_of(second);
    return std::ranges::any_of(bytes_of(first), [&](std::string const& address) {
        return std::ranges::find(known, address) != known.end();
    });
}

std::vector<Finding> check_cms(Options const& options, db::Connection* connection,
                               bool has_set_up) {
    return CmsCheck(options, connection, has_set_up).run();
}

} // namespace fcgi
