#include "fcgi/check/check.hpp"
#include "fcgi/check/variables.hpp"
#include "fcgi/options/described.hpp"
#include "fcgi/options/readable.hpp"

#include <boost/algorithm/string/case_conv.hpp>

#include <algorithm>
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
    std::string_view member; // of the description's settings
    std::string variable;    // as a rule
    std::string const& ours;
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

// Returns a command that makes a secret for the CMS.
std::string command_to_make(std::string const& variable, fs::path const& environment) {
    auto const file = shell_word(environment.string());
    return command_to_delete(variable, file) + "openssl rand -base64 32 | sed 's/^/" + variable +
           "=/' >>" + file;
}

// Whether two values are the same; empty if that is not known.
using Comparison = std::optional<bool>;

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

// Compares with what the CMS says of itself and with its .env.
class CmsCheck {
  public:
    CmsCheck(Options const& options, db::Description const& cms, db::Connection* connection,
             bool has_set_up)
        : options_(options),
          cms_(cms),
          environment_(project_folder(options.schema) / ".env"),
          variables_(read_variables(environment_)),
          server_(ask_server(connection)),
          has_set_up_(has_set_up) {}

    // Returns whether ours is that of the CMS.
    Comparison check_secret(SharedSecret const& secret);
    void check_database();
    std::vector<Finding> findings() { return std::move(findings_); }

  private:
    // Returns a text or number of the database's connection; empty if there is none.
    std::string said(std::string const& name) const {
        return described_text(cms_, "/database/" + name);
    }
    Comparison compare_place() const;
    Comparison compare_port(std::string const& port) const;
    std::string url_of_theirs(bool is_same_place) const;
    void not_compared(std::string const& what, std::string const& why, std::string const& fix);

    Options const& options_;
    db::Description const& cms_;
    fs::path environment_;
    parser::Result<Variables> variables_;
    std::optional<ServerPlace> server_;
    bool has_set_up_;
    std::vector<Finding> findings_;
};

void CmsCheck::not_compared(std::string const& what, std::string const& why,
                            std::string const& fix) {
    if (has_set_up_) findings_.push_back({Finding::not_compared, what + ": " + why, fix});
}

Comparison CmsCheck::check_secret(SharedSecret const& secret) {
    if (secret.ours.empty()) return std::nullopt;
    auto const weak = weakness(secret.ours);
    auto const variable = described_variable(cms_, secret.member);
    if (variable && variable->empty()) return std::nullopt;
    auto const theirs =
        variable ? value_of(variables_, *variable) : parser::Result<std::string>(variable.error());
    if (!theirs) {
        bool const may_not_read = theirs.error().kind == parser::ErrorKind::not_granted;
        if (weak.empty())
            not_compared(secret.option, theirs.error().message,
                         may_not_read
                             ? "while the check runs: " +
                                   command_to_read_file_of_others(environment_)
                             : "make sure that it is the same in the environment of the CMS");
        return std::nullopt;
    }
    if (*theirs != secret.ours)
        findings_.push_back({Finding::problem,
                             secret.option + (weak.empty() ? "" : weak + ", and") +
                                 " differs from " + *variable + " of " + environment_.string(),
                             command_to_describe(options_) + " --force"});
    else if (!weak.empty())
        findings_.push_back({Finding::problem, secret.option + weak + ", and so is that of the CMS",
                             "restart the CMS after this command and check again; " + secret.loses +
                                 ": " + command_to_make(*variable, environment_)});
    return *theirs == secret.ours;
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
    auto const socket = said("socket"), name = said("host"), port = said("port");
    if (!socket.empty()) {
        if (!server_) return std::nullopt;
        std::error_code error;
        return fs::equivalent(socket, server_->socket, error) || socket == server_->socket;
    }
    if (name.empty()) return std::nullopt;
    auto const host = any_of(options_.database_hosts.urls, [&](db::DatabaseUrl const& url) {
        return is_same_machine(url.socket.empty() ? url.host : "127.0.0.1", name);
    });
    return host.value_or(false) && !port.empty() ? compare_port(port) : host;
}

// Returns the URL that `database` should have.
std::string CmsCheck::url_of_theirs(bool is_same_place) const {
    auto const& ours = options_.database_hosts.first();
    auto const text = [&](std::string const& name, std::string const& otherwise) {
        auto theirs = said(name);
        return theirs.empty() ? otherwise : theirs;
    };
    std::string url = "mysql://" + ours.user + '@';
    auto const name = '/' + text("name", ours.name), socket = said("socket");
    if (!socket.empty()) return url + "localhost" + name + "?socket=" + socket;
    if (is_same_place && !ours.socket.empty())
        return url + "localhost" + name + "?socket=" + ours.socket;
    return url + text("host", ours.host) + ':' + text("port", "3306") + name;
}

void CmsCheck::check_database() {
    auto const client = said("client"), name = said("name");
    if (!client.empty() && !client.starts_with("mysql")) {
        findings_.push_back({Finding::problem, "the CMS has the database client " + client,
                             "move the CMS to MySQL or MariaDB: no other database is supported"});
        return;
    }
    if (options_.database.empty()) return;
    auto const& ours = options_.database_hosts.first();
    bool const is_other_name = !name.empty() && name != ours.name;
    auto const place = compare_place();
    if (is_other_name || !place.value_or(true)) {
        auto const theirs = said("socket").empty() ? said("host") : said("socket");
        findings_.push_back({Finding::problem,
                             "`database` names `" + ours.name + "` at " + ours.address() +
                                 ", but the CMS uses `" + (name.empty() ? ours.name : name) +
                                 "` at " + (theirs.empty() ? "another place" : theirs),
                             "set database = \"" + url_of_theirs(place.value_or(true)) +
                                 "\", with the password of its account"});
    } else if (name.empty() || !place) {
        not_compared("database", "the CMS does not say where it is",
                     "make sure that it is the one of the CMS");
    }
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

std::vector<Finding> check_cms(Options const& options, db::Description const* cms,
                               db::Connection* connection, bool has_set_up) {
    auto const& [jwt, api_token_salt] = options.secrets;
    SharedSecret const secrets[] = {
        {"jwt-secret", "jwtSecret", "JWT_SECRET", jwt, "its users must log in again"},
        {"api-token-salt", "apiTokenSalt", "API_TOKEN_SALT", api_token_salt,
         "its API tokens must be created again"}};
    std::optional<CmsCheck> check;
    if (cms) check.emplace(options, *cms, connection, has_set_up);
    std::vector<Finding> findings;
    for (SharedSecret const& secret : secrets) {
        auto const weak = secret.ours.empty() ? "" : weakness(secret.ours);
        bool const is_compared = check && check->check_secret(secret);
        if (!is_compared && !weak.empty())
            findings.push_back({Finding::problem, secret.option + weak,
                                "set " + secret.option + " to " + secret.variable + " of the CMS"});
    }
    if (check) {
        check->check_database();
        std::ranges::move(check->findings(), std::back_inserter(findings));
    }
    return findings;
}

} // namespace fcgi
