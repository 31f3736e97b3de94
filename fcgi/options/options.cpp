#include "fcgi/options/options.hpp"

#include "db/plan/time_zone.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/described.hpp"
#include "fcgi/options/option_sources.hpp"
#include "fcgi/options/secrets.hpp"
#include "fcgi/process/listener.hpp"
#include "parser/base/closest_name.hpp"
#include "parser/base/javascript.hpp"
#include "parser/base/units.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fcgi {

namespace {

// Adds an option whose text `read` turns into a value; `value` has its default. `expected` begins
// the message of an error.
template<class Value, class Read>
void add_value(CLI::App& app, std::string const& name, Value& value, Read read,
               std::string const& expected, std::string const& description) {
    app.add_option_function<std::string>(
        name,
        [&value, read, expected, name](std::string const& text) {
            auto const given = read(text);
            if (!given) throw CLI::ValidationError(name, expected + ", received " + text);
            value = *given;
        },
        description);
}

void add_time(CLI::App& app, std::string const& name, std::chrono::milliseconds& time,
              std::string const& description) {
    add_value(app, name, time, parser::read_time, parser::expected_time, description);
    app.get_option(name)->type_name("TIME")->default_str(parser::write_time(time));
}

void add_size(CLI::App& app, std::string const& name, std::size_t& bytes,
              std::string const& description) {
    add_value(app, name, bytes, parser::read_size, parser::expected_size, description);
    app.get_option(name)->type_name("SIZE")->default_str(parser::write_size(bytes));
}

// Without this check, CLI11 reads -1 as the largest number there is.
void add_count(CLI::App& app, std::string const& name, std::size_t& count,
               std::string const& description) {
    app.add_option(name, count, description)->check([](std::string const& text) {
        return parser::read_number(text) ? std::string() : "expected a number, received " + text;
    });
}

// Takes numbers from `least` to `most`. The validator of CLI11 has another message in each of its
// releases.
CLI::Validator in_range(std::size_t least, std::size_t most) {
    auto const range = std::to_string(least) + " to " + std::to_string(most);
    auto const check = [=](std::string const& text) {
        auto const number = parser::read_number(text);
        return number && least <= *number && *number <= most
                   ? std::string()
                   : "expected a number from " + range + ", received " + text;
    };
    return {check, range};
}

template<class Value>
void add_choice(CLI::App& app, std::string const& name, Value& value,
                std::type_identity_t<std::vector<std::pair<std::string, Value>>> const& choices,
                std::string const& description) {
    using Choice = std::pair<std::string, Value>;
    std::vector<std::string> names;
    for (auto const& [choice, meaning] : choices)
        names.push_back(choice);
    app.add_option_function<std::string>(
           name,
           [&value, choices](std::string const& text) {
               value = std::ranges::find(choices, text, &Choice::first)->second;
           },
           description)
        ->check(CLI::IsMember(names))
        ->default_str(std::ranges::find(choices, value, &Choice::second)->first);
}

// `max-limit` is a number or "none".
std::string read_max_limit(std::string const& text, std::optional<std::uint64_t>& limit) {
    limit = parser::read_number(text);
    return limit.value_or(0) > 0 || text == "none"
               ? std::string()
               : "expected a positive number or none, received " + text;
}

// `strapi` is a version, a release of one, or `auto`.
std::string read_strapi(std::string const& text, Options& options) {
    auto const release = db::read_release(text);
    bool const is_release = release && release->text().starts_with(text);
    auto const major = is_release ? release->major : parser::read_number(text).value_or(0);
    auto const* version = std::ranges::find(db::all_versions, static_cast<db::Version>(major));
    bool const is_known = version != std::end(db::all_versions);
    if (!is_known && text != "auto")
        return "expected auto, 4, 5, or a release such as 5.30, received " + text;
    options.strapi = is_known ? std::optional(*version) : std::nullopt;
    options.strapi_release = is_release ? release : std::nullopt;
    return {};
}

void add_connection_options(CLI::App& app, Options& options) {
    app.add_option("--schema", options.schema, "folder of a Strapi project, or its src/");
    app.add_option("--description", options.description,
                   "file in which the CMS says what it is, see setup");
    app.add_option("--handed-over", options.handed_over,
                   "types and actions that the CMS answers in any case: api::page.page, "
                   "api::page.page.findOne")
        ->delimiter(',');
    app.add_option_function<std::string>(
           "--strapi",
           [&options](std::string const& text) {
               auto const problem = read_strapi(text, options);
               if (!problem.empty()) throw CLI::ValidationError("--strapi", problem);
           },
           "version of the CMS, 4 or 5, or its release, such as 5.30; auto: read from the database "
           "or the project")
        ->default_str("auto");
    app.add_option(
        "--database", options.database,
        "mysql://user:password@host:port/name[?socket=/path]; commas separate several hosts");
    add_choice(
        app, "--galera-sync", options.galera_sync, {{"off", false}, {"on", true}},
        "on: reads wait until the Galera node has applied everything acknowledged on any node");
    add_choice(app, "--primary-lost", options.serves_without_primary,
               {{"refuse", false}, {"serve", true}},
               "what to do when no host is known to be as recent as max-lag requires: refuse "
               "requests, or serve what the hosts have");
    app.add_option("--database-password-file", options.database_password_file,
                   "file that contains the password, instead of the URL");
    app.add_option("--listen", options.listen,
                   "unix:/path, tcp:address:port or fd:N; default: the socket that the program is "
                   "started with");
    app.add_option("--socket-group", options.socket_group, "group of a unix socket");
    app.add_option("--listen-allow", options.listen_allow,
                   "addresses and networks that may connect over TCP; default: all")
        ->check([](std::string const& list) {
            auto const hosts = AllowedHosts::read(list);
            return hosts ? std::string() : hosts.error().message;
        });
    add_count(app, "--workers", options.workers,
              "threads that handle requests; default: 4 x cores, at least 8");
    add_count(app, "--connections", options.connections,
              "database connections, at most as many as workers; default: half as many");
    add_size(app, "--memory", options.memory, "memory that all requests may hold together");
}

void add_api_options(CLI::App& app, Options& options) {
    app.add_option("--prefix", options.prefix, "path before the collection");
    app.add_option("--openapi-route", options.openapi_route,
                   "serve what the command openapi prints at /_openapi and /_openapi/flat");
    app.add_option("--explain-route", options.explain_route,
                   "serve /_explain/PATH, which reports how PATH is answered");
    app.add_option("--server-timing", options.server_timing,
                   "send the time of each stage to the client, in Server-Timing");
    app.add_option("--default-limit", options.api.default_limit,
                   "entries per page if the request does not specify a number")
        ->check(CLI::PositiveNumber);
    app.add_option_function<std::string>(
        "--max-limit",
        [&options](std::string const& text) {
            auto const problem = read_max_limit(text, options.api.max_limit);
            if (!problem.empty()) throw CLI::ValidationError("--max-limit", problem);
        },
        "maximum number of entries per page, or none");
    app.add_option("--with-count", options.api.with_count, "include the total in lists");
    app.add_option("--default-depth", options.api.default_depth,
                   "depth of populate=deep: defaultDepth of strapi-plugin-populate-deep");
    app.add_option("--strict", options.api.strict,
                   "respond with 400 to parameters that would otherwise be ignored");
    app.add_option("--default-locale", options.api.default_locale,
                   "default locale, instead of the one that the CMS has in the database");
    app.add_option("--private-attributes", options.private_attributes,
                   "attributes that no response contains, of any type")
        ->delimiter(',');
    add_choice(app, "--response-format", options.api.document_format,
               {{"flat", db::ReadPlan::Format::flat}, {"v4", db::ReadPlan::Format::documents}},
               "format of Strapi 5's entries if the request has no header that selects one");
    app.add_option("--time-zone", options.time_zone,
                   "time zone in which the CMS writes datetimes: its TZ, or an offset, +02:00");
}

// Adds the options of headers for browsers and caches.
void add_header_options(CLI::App& app, Options& options) {
    app.add_option("--cors-origins", options.cors.origins,
                   "origins whose scripts may read; default: *, any")
        ->delimiter(',');
    app.add_option("--cors-headers", options.cors.headers,
                   "request headers that these scripts may send")
        ->delimiter(',');
    app.add_option("--cors-expose", options.cors.exposed,
                   "response headers that these scripts may see")
        ->delimiter(',');
    app.add_option("--cors-credentials", options.cors.credentials,
                   "whether these scripts may send cookies and other credentials");
    add_count(app, "--cors-max-age", options.cors.max_age,
              "seconds for which browsers may reuse the response to a preflight; 0: not specified");
    app.add_option_function<std::vector<std::string>>(
           "--cache-control",
           [&options](std::vector<std::string> const& settings) {
               for (std::string const& setting : settings) {
                   auto const equals = setting.find('=');
                   if (equals == setting.npos)
                       throw CLI::ValidationError("--cache-control",
                                                  "expected TYPE=VALUE, received " + setting);
                   options.cache_control[setting.substr(0, equals)] = setting.substr(equals + 1);
               }
           },
           "Cache-Control of a type's responses, api::article.article=max-age=60; * stands for all "
           "other types")
        ->delimiter(';');
}

// Adds the options that repeat settings of the CMS, and those of how its content is read.
void add_cms_options(CLI::App& app, Options& options) {
    add_count(app, "--query-array-limit", options.tree.array_limit,
              "arrayLimit of strapi::query in config/middlewares.js");
    app.add_option("--query-depth", options.tree.depth, "depth of strapi::query in the same file")
        ->check(in_range(0, 100));
    app.add_option("--jwt-secret", options.secrets.jwt,
                   "jwtSecret of users-permissions; not on the command line")
        ->default_str("");
    app.add_option("--api-token-salt", options.secrets.api_token_salt,
                   "apiToken.salt of config/admin.js; not on the command line")
        ->default_str("");
    add_time(app, "--permission-ttl", options.permission_ttl, "maximum age of cached permissions");
    app.add_option(
        "--share-requests", options.share_requests,
        "answer identical requests that arrive at the same time from one read of the database");
    using enum db::Forms;
    add_choice(app, "--statement-forms", options.statement_forms,
               {{"chosen", chosen}, {"usual", usual}, {"other", other}},
               "which of two forms of SQL reads large content");
    app.add_option("--indexes", options.indexes,
                   "file of `indexes suggest`: report which of its indexes are gone");
}

constexpr auto usual_secret_file = "/etc/populate-fcgi/surrogate-key-secret";

std::string read_header_name(std::string const& name) {
    auto const is_plain = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    };
    return std::ranges::all_of(name, is_plain)
               ? std::string()
               : "expected the name of a header, such as Surrogate-Key, received " + name;
}

// Reads `off`, `exact` or `bounded=100ms`. Returns nothing for any other text.
using CacheBound = std::optional<std::chrono::milliseconds>;
std::optional<CacheBound> read_cache(std::string const& text) {
    constexpr std::string_view bounded = "bounded=";
    if (text == "off") return CacheBound();
    if (text == "exact") return CacheBound(0);
    if (!text.starts_with(bounded)) return std::nullopt;
    auto const time = parser::read_time(text.substr(bounded.size()));
    if (!time || time->count() == 0) return std::nullopt;
    return CacheBound(*time);
}

void add_cache_options(CLI::App& app, Options& options) {
    add_value(app, "--cache", options.cache, read_cache, "expected off, exact or bounded=TIME",
              "cache responses: exact, no response is older than its request; bounded=TIME, at "
              "most that much older; off; default: exact if cache-user is set");
    app.add_option("--cache-user", options.cache_user,
                   "account that follows the database's binary log");
    app.add_option("--cache-password-file", options.cache_password_file,
                   "file that contains the password of cache-user");
    app.add_option("--surrogate-key", options.surrogate_key,
                   "header that tells caches in front what a response depends on, such as "
                   "Surrogate-Key; default: none")
        ->check(read_header_name);
    app.add_option("--surrogate-key-secret-file", options.surrogate_key_secret_file,
                   "file that contains the secret with which this header is made");
    add_size(app, "--cache-memory", options.cache_memory, "maximum size of the cache");
    app.add_option("--cache-server-id", options.cache_server_id,
                   "server id of the program among the database's replicas; 0: a random one");
}

void add_notify_options(CLI::App& app, Options& options) {
    app.add_option("--notify-target", options.notify_targets,
                   "whom notify tells of changes: varnish=http://HOST:PORT/, webhook=URL or "
                   "template=FILE")
        ->delimiter(',');
    app.add_option("--notify-state", options.notify_state,
                   "file in which notify keeps how far it has told them; default: state, in the "
                   "folder that systemd provides");
    app.add_option("--notify-secret-file", options.notify_secret_file,
                   "file that contains the secret by which webhooks are signed");
    app.add_option("--notify-metrics-file", options.notify_metrics_file,
                   "file for node_exporter's textfile collector, in which notify counts");
    app.add_option("--notify-drafts", options.notify_drafts, "tell webhooks of drafts, too");
}

void add_log_options(CLI::App& app, Options& options) {
    using enum LogFormat;
    add_choice(app, "--log-format", options.log.format, {{"logfmt", logfmt}, {"json", json}},
               "format of the lines on standard error");
    using enum LogLevel;
    add_choice(app, "--log-level", options.log.level,
               {{"error", error}, {"warning", warning}, {"info", info}},
               "lowest level that is logged");
    using enum LoggedRequests;
    add_choice(app, "--log-requests", options.log.requests,
               {{"none", none}, {"failed", failed}, {"all", all}},
               "which requests are logged, with one line each");
    app.add_option("--log-query", options.log.query, "include the query string in these lines");
    add_time(app, "--log-slow", options.log.slow,
             "log requests that take at least this long, with their SQL; 0: none");
    app.add_option("--metrics-listen", options.metrics_listen,
                   "address that serves /metrics, /_health and /_ready over HTTP, unix:/path or "
                   "tcp:address:port; default: none");
}

void add_limit_options(CLI::App& app, parser::Limits& limits) {
    for (auto const& [option, member, unit, description, least, most] : parser::amount_limits) {
        auto const name = "--" + std::string(option);
        if (unit == parser::LimitUnit::bytes)
            add_size(app, name, limits.*member, std::string(description));
        else if (most != 0)
            app.add_option(name, limits.*member, std::string(description))
                ->check(in_range(least, most));
        else
            add_count(app, name, limits.*member, std::string(description));
    }
    for (auto const& [option, member, description, refuses] : parser::time_limits)
        add_time(app, "--" + std::string(option), limits.*member, std::string(description));
}

constexpr EndedSetting ended_settings[] = {
    {"processes", "set `workers` and `connections` to what all processes had together"},
    {"default-parameters", "`populate-fcgi setup` asks the CMS what its middlewares do"},
    {"serve-types", "`populate-fcgi setup` asks the CMS which of its code changes a response"},
};

// They stay out of --help-all. Any value is taken: the program starts as it did for the version
// that it was set up for.
void add_ended_settings(CLI::App& app, Options& options) {
    for (EndedSetting const& setting : ended_settings)
        app.add_option_function<std::string>(
               "--" + std::string(setting.name),
               [&options, setting](std::string const&) { options.ended.push_back(setting); })
            ->group("");
}

struct Problem {
    std::string option; // whose value is wrong
    std::string what;
};

std::optional<Problem> read_password(std::string const& option, std::string const& path,
                                     db::DatabaseUrl& url) {
    if (path.empty()) return std::nullopt;
    errno = 0;
    std::ifstream file(path);
    if (std::getline(file, url.password)) return std::nullopt;
    return Problem{option, option + ": " + path +
                               (errno ? std::string(" cannot be read: ") + std::strerror(errno)
                                      : std::string(" is empty"))};
}

// The account of the cache uses the same server as that of `database`.
std::optional<Problem> complete_cache(Options& options, bool is_chosen) {
    if (options.cache_user.empty()) {
        if (!options.cache) return std::nullopt;
        return Problem{"cache", "cache: expected off, because cache-user is not set"};
    }
    if (!is_chosen) options.cache.emplace(0);
    options.cache_url = options.database_hosts.first();
    options.cache_url.user = options.cache_user;
    options.cache_url.password.clear();
    return read_password("cache-password-file", options.cache_password_file, options.cache_url);
}

// Reads what the names in the header are made with.
std::optional<Problem> complete_surrogate_key(Options& options) {
    std::string const header_option = "surrogate-key", file_option = "surrogate-key-secret-file";
    std::string const& file = options.surrogate_key_secret_file;
    auto const& given = options.surrogate_key.empty() ? file_option : header_option;
    if (options.surrogate_key.empty() && file.empty()) return std::nullopt;
    if (!options.cache)
        return Problem{given, given + ": needs the cache: set cache-user, or remove " + given};
    if (file.empty())
        return Problem{given, given + ": needs " + file_option +
                                  "; fix: " + command_to_make_secret_file(usual_secret_file) +
                                  ", and set " + file_option + " = " + usual_secret_file};
    auto secret = read_secret_file(file);
    if (!secret) return Problem{file_option, file_option + ": " + secret.error().message};
    options.surrogate_key_secret = *std::move(secret);
    return std::nullopt;
}

// Sets and checks what depends on more than one option.
std::optional<Problem> complete(Options& options, bool cache_is_chosen) {
    auto& origins = options.cors.origins;
    if (std::ranges::find(origins, "*") != origins.end()) origins.clear(); // any
    if (options.workers == 0)
        options.workers = std::max(8u, 4 * std::thread::hardware_concurrency());
    if (options.connections == 0) options.connections = (options.workers + 1) / 2;
    options.connections = std::min(options.connections, options.workers);
    // The last quarter is kept for one response (parser/base/memory_budget.hpp).
    if (options.limits.response > options.memory / 4)
        return Problem{
            "response-limit",
            "response-limit: expected at most a quarter of the setting memory, which is " +
                std::to_string(options.memory) + " bytes"};
    if (!db::is_time_zone(options.time_zone))
        return Problem{"time-zone",
                       "time-zone: the system does not know the time zone " + options.time_zone};
    if (options.database.empty()) return std::nullopt;
    auto hosts = db::parse_database_url(options.database);
    if (!hosts) return Problem{"database", hosts.error().message};
    options.database_hosts = *std::move(hosts);
    for (auto& url : options.database_hosts.urls)
        if (auto problem =
                read_password("database-password-file", options.database_password_file, url))
            return problem;
    auto& rules = options.database_hosts.rules;
    // With galera-sync a node waits until it has what the cluster has, and need not be confirmed.
    rules.serves_unconfirmed = options.serves_without_primary || options.galera_sync;
    rules.stays = !options.cache_user.empty();
    if (auto problem = complete_cache(options, cache_is_chosen)) return problem;
    return complete_surrogate_key(options);
}

// Returns the configuration file that is used if none is named: beside the program, as on a shared
// host, or in etc/ of the tree that it is installed in. A file that this account may not look at is
// returned too: reading it reports why.
std::string default_config() {
    std::error_code error;
    auto const folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (auto place : {"", "../etc/populate-fcgi", "../../etc/populate-fcgi"}) {
        auto const file = (folder / place / "populate-fcgi.conf").lexically_normal();
        if (std::filesystem::exists(file, error) || error == std::errc::permission_denied)
            return file;
    }
    return {};
}

// Returns what an unexpected argument may have been meant to be, as a hint.
std::string meant(CLI::App const& app, std::vector<std::string> const& arguments) {
    std::vector<std::string> options, commands;
    for (std::string const& name : option_names(app))
        options.push_back("--" + name);
    for (CLI::App const* command : app.get_subcommands({})) {
        commands.push_back(command->get_name());
        for (CLI::Option const* option : command->get_options())
            options.push_back(option->get_name());
    }
    for (std::string const& argument : arguments) {
        auto const name = argument.substr(0, argument.find('='));
        auto const& names = name.starts_with("--") ? options : commands;
        if (std::ranges::find(names, name) != names.end()) continue;
        if (auto const text = did_you_mean(name, names); !text.empty())
            return "there is no `" + name + '`' + text;
    }
    return {};
}

void add_options(CLI::App& app, Options& options) {
    app.option_defaults()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->always_capture_default();
    app.set_version_flag("--version", "populate-fcgi " POPULATE_VERSION);
    app.add_option("--config", options.configuration, "settings file, with lines `name = value`");
    add_connection_options(app, options);
    add_api_options(app, options);
    add_header_options(app, options);
    add_cms_options(app, options);
    add_cache_options(app, options);
    add_notify_options(app, options);
    add_log_options(app, options);
    add_limit_options(app, options.limits);
    add_ended_settings(app, options);
    for (CLI::Option* const option : app.get_options())
        if (option->get_delimiter() != '\0') // a list, as `a, b`
            option->transform(
                [](std::string value) { return std::string(parser::trimmed(value)); });
}

constexpr auto usual_description = "/var/lib/populate-fcgi-cms/description.json";

// A file that this account may not look at counts: reading it reports why.
std::string default_description() {
    std::error_code error;
    bool const is_there = std::filesystem::exists(usual_description, error);
    return is_there || error == std::errc::permission_denied ? usual_description : "";
}

// Takes what the owner has not set. A file that cannot be read says nothing; a value that does not
// fit its option is a problem.
std::optional<std::string> take_description(OptionSources& sources, Options& options) {
    if (options.description.empty()) return std::nullopt;
    auto const description = db::read_description(options.description);
    if (!description) return std::nullopt;
    options.described = described_options(*description, options.written);
    return sources.take_values(options.described, options.description + ": ");
}

std::optional<std::string> take_sources(CLI::App& app, Options& options, bool takes_file) {
    OptionSources sources(app);
    options.unknown_variables = sources.unknown_variables();
    if (auto problem = sources.take_environment()) return problem;
    if (takes_file && !options.configuration.empty())
        if (auto problem = sources.take_file(options.configuration)) return problem;
    options.written = written_options(app);
    if (auto problem = take_description(sources, options)) return problem;
    if (auto const problem = complete(options, app.get_option("--cache")->count() > 0))
        return sources.place_of(problem->option) + problem->what;
    return std::nullopt;
}

ParsedOptions parse(std::vector<std::string> const& arguments, std::span<Command const> commands) {
    ParsedOptions parsed;
    parsed.options.configuration = default_config();
    parsed.options.description = default_description();
    CLI::App app("Serves the read API of Strapi 4 or 5 from MySQL or MariaDB over FastCGI.",
                 "populate-fcgi");
    add_options(app, parsed.options);
    Command const* command = nullptr;
    add_commands(app, commands, command, parsed.run);
    auto problem = secret_on_command_line(arguments);
    if (!problem) {
        try {
            // CLI11 takes the arguments in reverse order.
            app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
        } catch (CLI::ParseError const& error) {
            bool const failed = error.get_exit_code() != 0;
            if (failed) std::cerr << journal_prefix(LogLevel::error);
            app.exit(error);
            if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::ExtrasError))
                if (auto const text = meant(app, arguments); !text.empty())
                    std::cerr << text << '\n';
            parsed.exit = failed ? exit_configuration : exit_ok;
            return parsed;
        }
        bool const takes_file = !command || command->takes_file;
        problem = take_sources(app, parsed.options, takes_file);
    }
    if (problem) {
        std::cerr << journal_prefix(LogLevel::error) << *problem << '\n';
        parsed.exit = exit_configuration;
    }
    return parsed;
}

} // namespace

ParsedOptions parse_options(int argc, char const* const* argv, std::span<Command const> commands) {
    std::vector<std::string> const arguments(argv + std::min(argc, 1), argv + argc);
    auto parsed = parse(arguments, commands);
    if (!parsed.exit) db::set_time_zone(parsed.options.time_zone); // there are no threads yet
    parsed.options.read_again = [arguments, commands]() -> std::optional<Options> {
        auto again = parse(arguments, commands);
        return again.exit ? std::nullopt : std::optional(std::move(again.options));
    };
    return parsed;
}

} // namespace fcgi
