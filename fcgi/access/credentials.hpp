#pragma once

#include "db/cms/accounts.hpp"
#include "db/mysql/pool.hpp"
#include "fcgi/cache/freshness.hpp"
#include "fcgi/options/secrets.hpp"
#include "parser/base/error.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fcgi {

// The role, user or token that a request comes from, and what it is granted.
struct Caller {
    std::shared_ptr<db::Permissions const> permissions;
    std::string user; // id of the user whose JWT it was; empty for anybody else
    std::string name; // for people: `the public role`, `user 3 with the role Editor`
    // The origin of the user or token; absent: the caller is the public.
    std::optional<ReadOrigin> account = {};
};

// Returns the word after `Bearer` in an Authorization header of exactly these two words. Any other
// header counts as none, and its sender as the public, as in Strapi 4.26 and 5.54.
std::optional<std::string> bearer_token(std::string_view authorization);

// Returns the user's id in a JWT that `secret` signed with an algorithm of the rules and whose exp
// and nbf admit `now`. The cause of the error says which of these it lacks.
parser::Result<std::string> verify_jwt(std::string const& token, std::string const& secret,
                                       std::chrono::system_clock::time_point now,
                                       db::AccountRules const& rules);

// Returns what the admin panel stores of an API token: HMAC-SHA512 in lower-case hex.
std::string hash_api_token(std::string_view token, std::string_view salt);

// The tables that the settings for all callers, users and tokens are read from.
struct AccountTables {
    Tables site, users, tokens;
};

// Says where accounts are looked for, and how old what is known of them may be.
struct AccountSource {
    db::Schema const& schema;
    AccountTables const& tables;
    db::Pool* pool; // null: those that are not known are `unavailable`
    db::Pool::Wait acquire;
    Freshness fresh = {};
};

// Caches accounts of one kind, and reads them from the database if they are unknown or outdated.
// Those that do not exist are not cached; when it is full, all are dropped. Any thread.
template<class Account>
class KnownAccounts {
  public:
    using Read = parser::Result<std::optional<Account>> (*)(db::Connection&, db::Schema const&,
                                                            std::string_view key);
    // Returns the account; absent: there is none.
    parser::Result<std::optional<Cached<Account>>>
    find(std::string const& key, Read read, AccountSource const& source, Tables const& tables);

  private:
    void store(std::string const& key, Cached<Account>& account);

    std::mutex mutex_;
    std::map<std::string, Cached<Account>, std::less<>> accounts_;
    // Accounts with the same rights have the same permissions, and so the same plans and responses.
    std::vector<std::shared_ptr<db::Permissions const>> permissions_;
};

// Caches users and tokens that were asked for. Any thread.
class Accounts {
  public:
    // Fails with 401 if the credentials admit nobody; the cause says why.
    parser::Result<Caller> authenticate(std::string_view authorization, Secrets const& secrets,
                                        db::Site const& site, AccountSource const& source);

  private:
    KnownAccounts<db::User> users_;          // by their id
    KnownAccounts<db::ApiToken> api_tokens_; // by their hash
};

} // namespace fcgi
