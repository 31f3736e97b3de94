#pragma once

#include "db/mysql/database_url.hpp"
#include "db/plan/bind.hpp"
#include "db/read/form.hpp"
#include "fcgi/http/response_headers.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/option_sources.hpp"
#include "fcgi/options/secrets.hpp"
#include "fcgi/process/log.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"
#include "parser/query_tree.hpp"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fcgi {

// Which requests get a line in the log.
enum class LoggedRequests : std::uint8_t { none, failed, all }; // failed: status 400 and above

struct LogOptions {
    LogFormat format = LogFormat::logfmt;
    LogLevel level = LogLevel::info;
    LoggedRequests requests = LoggedRequests::none;
    bool query = false;                // query strings may contain private data
    std::chrono::milliseconds slow{0}; // requests that took at least as long; 0: none
};

// A setting of an older version: it may be set, to any value, and does nothing.
struct EndedSetting {
    std::string_view name;
    std::string_view instead; // what to do in its place
};

// The settings of the command line, the environment, the configuration file and the description of
// the CMS. Each of these wins over those after it.
struct Options {
    std::string schema;
    std::string description; // file of db/schema/description.hpp; empty: none
    // UIDs, or UIDs with an action, that the CMS answers whatever is known of them.
    std::vector<std::string> handed_over;
    std::optional<db::Version> strapi;         // absent: as the database says, then package.json
    std::optional<db::Release> strapi_release; // absent: as the project says
    std::string database;
    std::string database_password_file;
    bool galera_sync = false;            // snapshots have all that was acknowledged on any node
    bool serves_without_primary = false; // reads from hosts whose lag is not known
    std::string listen;
    std::string socket_group;
    std::string listen_allow; // see AllowedHosts; empty: all
    // A worker holds a connection while it reads, and none while it renders and writes: with the
    // same four connections, eight workers send a tenth to a fifth more responses than four
    // (tests/bench/run).
    std::size_t workers = 0;                // 0: four times the cores, at least 8
    std::size_t connections = 0;            // 0: half as many as workers
    std::size_t memory = 256 * 1024 * 1024; // bytes, for all requests together
    std::string prefix = "/api";
    bool openapi_route = false; // answer /_openapi, /_openapi/flat
    bool explain_route = false; // answer /_explain/…
    bool server_timing = false; // send Server-Timing
    db::ApiOptions api;
    std::vector<std::string> private_attributes;
    CorsRules cors;
    CacheControl cache_control;
    // How old a response from the cache may be; absent: there is no cache. 0: it has all that was
    // acknowledged before the request.
    std::optional<std::chrono::milliseconds> cache;
    std::string cache_user; // the account that follows the binlog
    std::string cache_password_file;
    std::size_t cache_memory = 64 * 1024 * 1024; // bytes, for all cache entries
    std::uint32_t cache_server_id = 0;           // its id among the replicas; 0: a random one
    std::string surrogate_key;                   // header with tag names; empty: none
    std::string surrogate_key_secret_file;
    std::string surrogate_key_secret;        // what is in the file
    std::vector<std::string> notify_targets; // whom `notify` tells, see fcgi/notify/target.hpp
    std::string notify_state;                // its file
    std::string notify_secret_file;          // of webhooks
    std::string notify_metrics_file;         // empty: none
    bool notify_drafts = false;              // webhooks are told of drafts, too
    std::string time_zone = "UTC";           // of the CMS's datetimes
    Secrets secrets;
    parser::TreeOptions tree;
    std::chrono::milliseconds permission_ttl{5'000};
    bool share_requests = true; // coalesce equal requests
    db::Forms statement_forms = db::Forms::chosen;
    std::string indexes; // file of those that should exist (db/read/index.hpp); empty: none
    parser::Limits limits;
    LogOptions log;
    std::string metrics_listen; // as `listen`; empty: nowhere

    std::vector<EndedSetting> ended; // those that are set

    // Environment variables POPULATE_… without an option, each with the one that may be meant.
    std::map<std::string, std::string> unknown_variables;

    db::DatabaseHosts database_hosts; // from `database`, with the password of the file
    db::DatabaseUrl cache_url;        // of the first host, with the account of the cache

    std::string configuration; // path of the file, which some commands ignore; empty: none
    WrittenOptions written;    // by the owner: in all sources but the description
    WrittenOptions described;  // by the description, as far as it counts

    // Reads the options anew. Returns nothing if they cannot be read; standard error says why.
    std::function<std::optional<Options>()> read_again;
};

struct ParsedOptions {
    Options options;
    Run run;                 // the command; empty if there are none
    std::optional<int> exit; // set: the program ends now; its message is printed
};

ParsedOptions parse_options(int argc, char const* const* argv,
                            std::span<Command const> commands = {});

} // namespace fcgi
