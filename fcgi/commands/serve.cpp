#include "db/cms/tables.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/handler/service.hpp"
#include "fcgi/metrics/event_log.hpp"
#include "fcgi/metrics/metrics.hpp"
#include "fcgi/metrics/metrics_server.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/process/listener.hpp"
#include "fcgi/process/log.hpp"
#include "fcgi/process/systemd.hpp"
#include "fcgi/server/server.hpp"

#include <csignal>
#include <cstdlib>
#include <optional>

#include <malloc.h>

namespace fcgi {

namespace {

// glibc raises this limit to the largest block it has seen freed, and then keeps what large
// responses needed: threads would hold that much each for good. Larger blocks than this are freed
// at once.
constexpr int kept_block_bytes = 1024 * 1024;

// Returns the UIDs by which responses are counted.
std::vector<std::string> known_types(Options const& options) {
    std::vector<std::string> types;
    if (auto const schema = read_schema(options))
        for (auto const& [uid, type] : (*schema)->types)
            types.push_back(uid);
    return types;
}

// Returns an error if the tables cannot be served at all. A database that is away may be served
// later.
parser::Result<void> refuse_tables(Options const& options) {
    db::Watchdog watchdog;
    auto const& limits = options.limits;
    auto const connection = db::Connection::open(options.database_hosts,
                                                 {.statement_timeout = limits.statement,
                                                  .connect_timeout = limits.acquire,
                                                  .watchdog = &watchdog},
                                                 parser::Deadline::Clock::now() + limits.acquire);
    if (!connection) return {};
    auto const tables = db::read_table_columns(**connection);
    auto const why = tables ? db::too_old(*tables) : std::nullopt;
    if (!why) return {};
    return parser::Error{parser::ErrorKind::unsupported, *why};
}

int serve_at(Listener& listener, Service& service, Metrics& metrics, Listener* metrics_listener,
             Observer const& observe) {
    Options const& options = service.options();
    Usage& usage = metrics.usage();
    service.pool().report_to(usage.pool);

    ServerOptions server;
    server.workers = options.workers;
    server.connections = options.connections;
    server.left = &usage.pool.left;
    server.share_requests = options.share_requests;
    server.limits = options.limits;
    server.memory = std::make_shared<parser::MemoryBudget>(options.memory);
    server.reload = [&service] {
        notify_systemd("RELOADING=1");
        service.reload();
        notify_systemd("READY=1");
    };
    server.observe = observe;
    if (!options.listen_allow.empty())
        server.allowed_hosts = AllowedHosts::read(options.listen_allow).value();
    if (auto* const log = service.change_log()) {
        server.inquiry_bound = *options.cache;
        log->report_to(usage.change_log);
        service.responses().count_in(usage.cache_bytes);
    }
    service.follow_changes();
    std::optional<MetricsServer> scrapes; // after all that it uses is set up
    if (metrics_listener) scrapes.emplace(*metrics_listener, metrics, service, observe);
    if (auto const state = service.state(Freshness()); !state)
        observe(Notice{"database-silent", {state.error().cause}});
    int const result = serve(listener, service, server);
    // Requests that were cut off may still be using the service.
    if (result != exit_ok) std::_Exit(result);
    return result;
}

std::string hosts_of(db::DatabaseHosts const& database) {
    std::string hosts;
    for (auto const& url : database.urls)
        hosts += (hosts.empty() ? "" : ",") + url.address();
    return hosts;
}

// A SIGHUP would end the program while it starts, so it waits until it can be handled.
void hold_reloads() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

// Options of the log that are read again apply at once.
Options with_log(Options options, EventLog const& log) {
    options.read_again = [read = std::move(options.read_again), log] {
        auto again = read();
        if (again) log.use(again->log);
        return again;
    };
    return options;
}

int run_serve(Options const& options) {
    ::mallopt(M_MMAP_THRESHOLD, kept_block_bytes);
    hold_reloads();
    ::signal(SIGPIPE, SIG_IGN); // the reader of the log may be gone
    Metrics metrics(known_types(options));
    EventLog const log(options.log);
    ServiceStatus status;
    Observer const observe = [&metrics, &status, log](Event const& event) {
        metrics.count(event);
        log(event);
        status(event);
    };
    for (auto const& [name, instead] : options.ended)
        log_line(LogLevel::warning, "a setting has ended and does nothing: ",
                 std::string(name).append("; ").append(instead));
    auto service = Service::create(with_log(options, log), observe);
    if (!service) {
        log_line(LogLevel::error, service.error().message);
        return exit_configuration;
    }
    if (auto const can_be_served = refuse_tables(options); !can_be_served) {
        log_line(LogLevel::error, can_be_served.error().message);
        return exit_configuration;
    }
    auto listener = Listener::open(options.listen, options.socket_group);
    if (!listener) {
        log_line(LogLevel::error, listener.error().message);
        return exit_cannot_create;
    }
    std::optional<Listener> metrics_listener;
    if (!options.metrics_listen.empty()) {
        auto opened = Listener::open(options.metrics_listen, options.socket_group);
        if (!opened) {
            log_line(LogLevel::error, opened.error().message);
            return exit_cannot_create;
        }
        metrics_listener.emplace(*std::move(opened));
    }
    LogLine starting(LogLevel::info, "starting");
    starting.add("version", POPULATE_VERSION).add("project", options.schema);
    starting.add("database", hosts_of(options.database_hosts)).add("listen", listener->address());
    if (metrics_listener) starting.add("metrics", metrics_listener->address());
    starting.write();
    return serve_at(*listener, **service, metrics, metrics_listener ? &*metrics_listener : nullptr,
                    observe);
}

} // namespace

Run declare_serve(CommandLine) {
    return run_serve;
}

} // namespace fcgi
