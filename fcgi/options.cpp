#include "fcgi/options.hpp"

#include "db/time_zone.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <thread>

#include <unistd.h>

namespace fcgi {

namespace {

// `max-limit` is a number or "none".
std::string read_max_limit(std::string const& text, std::optional<std::uint64_t>& limit) {
    if (text == "none") {
        limit.reset();
        return {};
    }
    std::uint64_t number = 0;
    if (!CLI::detail::lexical_cast(text, number) || number == 0)
        return "max-limit: expected a positive number or none, received " + text;
    limit = number;
    return {};
}

void add_duration(CLI::App& app, std::string const& name, std::chrono::milliseconds& duration,
                  std::string const& description) {
    app.add_option_function<double>(
           name,
           [&duration](double seconds) {
               duration = std::chrono::milliseconds(static_cast<long>(seconds * 1'000));
           },
           description)
        ->check(CLI::Range(0.0, 86'400.0))
        ->type_name("SECONDS")
        ->default_str(CLI::detail::to_string(static_cast<double>(duration.count()) / 1'000));
}

// The first of `choices` is the default.
template<class Value>
void add_choice(CLI::App& app, std::string const& name, Value& value,
                std::vector<std::pair<std::string, Value>> const& choices,
                std::string const& description) {
    std::vector<std::string> names;
    for (auto const& [choice, meaning] : choices)
        names.push_back(choice);
    app.add_option_function<std::string>(
           name,
           [&value, choices](std::string const& text) {
               value = std::ranges::find(choices, text, [](auto& choice) {
                           return choice.first;
                       })->second;
           },
           description)
        ->check(CLI::IsMember(names))
        ->default_str(names[0]);
}

void add_connection_options(CLI::App& app, Options& options) {
    app.add_option("--schema", options.schema, "folder of a Strapi v4 project, or its src/");
    app.add_option("--database", options.database,
                   "mysql://user:password@host:port/name[?socket=/path][&ssl-ca=FILE]");
    app.add_option("--database-password-file", options.database_password_file,
                   "file that holds the password, instead of the URL");
    app.add_option(
        "--listen", options.listen,
        "unix:/path, tcp:address:port or fd:N; default: the socket we were started with");
    app.add_option("--socket-group", options.socket_group, "group of a unix socket");
    app.add_option("--processes", options.processes,
                   "that share the socket, each with its workers and connections")
        ->check(CLI::Range(1, 1'000));
    app.add_option("--workers", options.workers, "threads that answer; default: 4 x cores, >= 8");
    app.add_option("--connections", options.connections,
                   "database connections; default: half the workers, at most: workers");
}

void add_api_options(CLI::App& app, Options& options) {
    app.add_option("--prefix", options.prefix, "path before the collection");
    app.add_option("--openapi-route", options.openapi_route,
                   "answer /_openapi with what the command openapi prints");
    app.add_option("--explain-route", options.explain_route,
                   "answer /_explain/ and a path with how that is answered");
    app.add_option("--server-timing", options.server_timing,
                   "send the time of each stage in Server-Timing");
    app.add_option("--default-limit", options.api.default_limit, "entries of a page")
        ->check(CLI::PositiveNumber);
    app.add_option_function<std::string>(
        "--max-limit",
        [&options](std::string const& text) {
            auto const problem = read_max_limit(text, options.api.max_limit);
            if (!problem.empty()) throw CLI::ValidationError(problem);
        },
        "most entries of a page, or none");
    app.add_option("--with-count", options.api.with_count, "count the entries of a list");
    app.add_option("--strict", options.api.strict, "400 for what would be ignored");
    app.add_option("--default-locale", options.api.default_locale,
                   "instead of the one that the CMS has in the database");
    app.add_option("--private-attributes", options.private_attributes,
                   "attributes never answered, of any type")
        ->delimiter(',');
    app.add_option("--serve-types", options.serve_types,
                   "types with code of their own to serve all the same, by UID")
        ->delimiter(',');
    app.add_option("--time-zone", options.time_zone, "TZ of the CMS, in which it writes datetimes");
    app.add_option("--cors-origins", options.cors.origins, "origins that may read; default: any")
        ->delimiter(',');
    app.add_option("--cors-headers", options.cors.headers, "headers that they may send")
        ->delimiter(',');
    app.add_option("--cors-expose", options.cors.exposed, "headers that they may see")
        ->delimiter(',');
    app.add_option("--cors-credentials", options.cors.credentials,
                   "whether they may send cookies and Authorization");
    app.add_option_function<std::vector<std::string>>(
           "--cache-control",
           [&options](std::vector<std::string> const& settings) {
               for (std::string const& setting : settings) {
                   auto const equals = setting.find('=');
                   if (equals == setting.npos)
                       throw CLI::ValidationError("cache-control: expected TYPE=VALUE, received " +
                                                  setting);
                   options.cache_control[setting.substr(0, equals)] = setting.substr(equals + 1);
               }
           },
           "Cache-Control of a type's answers, api::article.article=max-age=60; * for the others")
        ->delimiter(';');
    app.add_option("--query-array-limit", options.tree.array_limit,
                   "arrayLimit of strapi::query in config/middlewares.js");
    app.add_option("--query-depth", options.tree.depth, "depth of strapi::query, likewise")
        ->check(CLI::Range(0, 100));
    app.add_option("--jwt-secret", options.secrets.jwt,
                   "jwtSecret of users-permissions; not on the command line")
        ->default_str("");
    app.add_option("--api-token-salt", options.secrets.api_token_salt,
                   "apiToken.salt of config/admin.js; not on the command line")
        ->default_str("");
    add_duration(app, "--permission-ttl", options.permission_ttl,
                 "how old cached permissions may be");
    app.add_option("--share-requests", options.share_requests,
                   "answer equal requests that come at the same time together");
}

void add_log_options(CLI::App& app, Options& options) {
    add_choice(app, "--log-format", options.log_format,
               {{"logfmt", LogFormat::logfmt}, {"json", LogFormat::json}},
               "of the lines on standard error");
    add_choice(app, "--log-requests", options.log_requests,
               {{"none", LoggedRequests::none},
                {"failed", LoggedRequests::failed},
                {"all", LoggedRequests::all}},
               "a line for each request, or none");
    app.add_option("--log-query", options.log_query, "with the query string");
    add_duration(app, "--log-slow", options.log_slow,
                 "log requests that take as long, with their SQL; 0: none");
    app.add_option("--metrics-listen", options.metrics_listen,
                   "unix:/path or tcp:address:port that answers /metrics; default: none");
}

void add_limit_options(CLI::App& app, parser::Limits& limits) {
    app.add_option("--query-string-limit", limits.query_string, "bytes");
    app.add_option("--parameters-limit", limits.parameters, "bytes");
    // Deeper plans could not be read back from a path (parser/populate_reader.cpp).
    app.add_option("--plan-nodes-limit", limits.plan_nodes, "tables read for one answer")
        ->check(CLI::Range(1, 1'000));
    app.add_option("--rows-limit", limits.rows, "rows read for one answer");
    app.add_option("--response-limit", limits.response, "bytes of one answer");
    app.add_option("--filter-terms-limit", limits.filter_terms, "conditions");
    app.add_option("--filter-hops-limit", limits.filter_hops, "relations in one path");
    app.add_option("--list-values-limit", limits.list_values, "values of one list");
    add_duration(app, "--read-timeout", limits.read, "from the first byte to a whole request");
    add_duration(app, "--request-timeout", limits.request, "from a whole request to its answer");
    add_duration(app, "--statement-timeout", limits.statement, "one SQL statement");
    add_duration(app, "--acquire-timeout", limits.acquire, "waiting for a database connection");
    add_duration(app, "--drain-timeout", limits.drain, "finishing requests after SIGTERM");
}

void add_commands(CLI::App& app, Options& options) {
    auto const add = [&](std::string const& name, std::string const& description) {
        CLI::App* command = app.add_subcommand(name, description)->fallthrough();
        command->callback([&options, name] { options.command = name; });
        return command;
    };
    add("serve", "serve FastCGI (the default)");
    add("check", "say whether schema, configuration and database agree");
    add("openapi", "print an OpenAPI 3.1 document of what is served");
    add("parse", "print the tree of a query string, or of each line of standard input")
        ->add_option("query", options.arguments, "a query string, or -")
        ->required();
    for (CLI::App* command :
         {add("get", "answer one request: body to standard output, status to standard error"),
          add("explain", "show how a request is answered: tree, plan, statements")}) {
        command->add_option("path", options.arguments, "path and query")->required();
        command->add_option("--bearer", options.bearer, "JWT or API token of the caller");
    }
    CLI::App* compare =
        add("compare", "ask the CMS and us the same, and show where answers differ");
    compare->add_option("--reference", options.compare.reference, "http://host:port of the CMS")
        ->required();
    compare
        ->add_option("--requests", options.compare.requests,
                     "file of paths with their queries, or -")
        ->required();
    compare->add_option("--bearer", options.bearer, "JWT or API token of the caller");
    add("create-tables", "create the tables that the schema needs, or what they lack")
        ->add_flag("--print", options.print, "show the SQL instead; without --database, all of it");
    add("import", "load content into the tables, all of it or nothing")
        ->add_option("folder", options.arguments, "folder with a file <uid>.ndjson for each type")
        ->required();
    CLI::App* create = add("token", "make an API token")
                           ->require_subcommand(1)
                           ->add_subcommand("create", "make one and print it, this once only")
                           ->fallthrough();
    create->add_option("--name", options.token.name, "for people")->required();
    create->add_option("--type", options.token.type, "read-only, full-access or custom")
        ->check(CLI::IsMember({"read-only", "full-access", "custom"}))
        ->required();
    create->add_option("--permissions", options.token.actions, "what a custom one may do")
        ->delimiter(',');
    app.require_subcommand(0, 1);
}

std::string environment_name(std::string const& option) {
    std::string name = "POPULATE_";
    for (char const c : option)
        name += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return name;
}

// Options set in the environment, as arguments before those of the command line, which win. CLI11
// itself would let the file win over the environment.
std::vector<std::string> environment_arguments(CLI::App const& app) {
    std::vector<std::string> arguments;
    for (CLI::Option const* option : app.get_options()) {
        if (option->get_lnames().empty()) continue;
        std::string const& name = option->get_lnames()[0];
        char const* value = std::getenv(environment_name(name).c_str());
        if (value && *value) // an empty one counts as unset
            arguments.push_back("--" + name + "=" + value);
    }
    return arguments;
}

std::vector<std::string> unknown_variables(CLI::App const& app) {
    std::vector<std::string> known;
    for (CLI::Option const* option : app.get_options())
        if (!option->get_lnames().empty())
            known.push_back(environment_name(option->get_lnames()[0]));
    std::vector<std::string> unknown;
    for (char** variable = environ; *variable; ++variable) {
        std::string_view const text = *variable;
        std::string const name(text.substr(0, text.find('=')));
        if (name.starts_with("POPULATE_") && std::ranges::find(known, name) == known.end())
            unknown.push_back(name);
    }
    return unknown;
}

std::optional<std::string> complete(Options& options) {
    if (options.workers == 0)
        options.workers = std::max(8u, 4 * std::thread::hardware_concurrency());
    if (options.connections == 0) options.connections = (options.workers + 1) / 2;
    options.connections = std::min(options.connections, options.workers);
    if (!db::set_time_zone(options.time_zone))
        return "time-zone: the system knows no " + options.time_zone;
    if (options.database.empty()) return std::nullopt;
    auto url = db::parse_database_url(options.database);
    if (!url) return url.error().message;
    options.database_url = *std::move(url);
    if (options.database_password_file.empty()) return std::nullopt;
    std::ifstream file(options.database_password_file);
    if (!std::getline(file, options.database_url.password))
        return "database-password-file: can't read " + options.database_password_file;
    return std::nullopt;
}

// Of a program that is told no other: beside it, as on a shared host, or in etc/ of the tree that
// it is installed in.
std::string default_config() {
    std::error_code error;
    auto const folder = std::filesystem::read_symlink("/proc/self/exe", error).parent_path();
    for (auto place : {"", "../etc/populate-fcgi", "../../etc/populate-fcgi"}) {
        auto const file = (folder / place / "populate-fcgi.conf").lexically_normal();
        if (std::filesystem::exists(file, error)) return file;
    }
    return {};
}

} // namespace

ParsedOptions parse_options(int argc, char const* const* argv) {
    ParsedOptions parsed;
    CLI::App app("Serves a content REST API from MySQL or MariaDB over FastCGI.", "populate-fcgi");
    app.option_defaults()
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
        ->always_capture_default();
    app.set_config("--config", default_config(), "file of lines `name = value`");
    app.allow_config_extras(CLI::config_extras_mode::capture); // and then refuses them
    app.set_version_flag("--version", "populate-fcgi " POPULATE_VERSION);
    add_connection_options(app, parsed.options);
    add_api_options(app, parsed.options);
    add_log_options(app, parsed.options);
    add_limit_options(app, parsed.options.limits);
    add_commands(app, parsed.options);

    for (int i = 1; i < argc; ++i)
        for (std::string_view const secret : {"--jwt-secret", "--api-token-salt"})
            if (std::string_view(argv[i]).starts_with(secret)) {
                std::cerr << secret.substr(2)
                          << ": anyone can read a command line; set it in the environment ("
                          << environment_name(std::string(secret.substr(2)))
                          << ") or in the file of --config\n";
                parsed.exit = exit_configuration;
                return parsed;
            }
    parsed.options.unknown_variables = unknown_variables(app);
    // CLI11 takes them last first.
    std::vector<std::string> arguments = environment_arguments(app);
    arguments.insert(arguments.end(), argv + std::min(argc, 1), argv + argc);
    std::ranges::reverse(arguments);
    try {
        app.parse(std::move(arguments));
    } catch (CLI::ParseError const& error) {
        bool const failed = app.exit(error) != 0;
        parsed.exit = failed ? exit_configuration : exit_ok;
        return parsed;
    }
    if (auto const problem = complete(parsed.options)) {
        std::cerr << *problem << '\n';
        parsed.exit = exit_configuration;
    }
    return parsed;
}

} // namespace fcgi
