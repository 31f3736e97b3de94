#include "fcgi/notify/notify.hpp"

#include "db/mysql/database_url.hpp"
#include "fcgi/answer/read_schema.hpp"
#include "fcgi/notify/notifier.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/process/log.hpp"
#include "fcgi/process/systemd.hpp"
#include "parser/base/signals.hpp"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <future>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fcgi {

namespace {

using notify::Notifier;
using notify::Target;

std::string state_path(Options const& options) {
    if (!options.notify_state.empty()) return options.notify_state;
    char const* const folder = std::getenv("STATE_DIRECTORY"); // StateDirectory of the unit
    return folder ? std::string(folder) + "/state" : std::string();
}

// Returns what is missing, and how to get it; empty: nothing is.
std::string lack_of(Options const& options, std::string const& state) {
    if (options.notify_targets.empty())
        return "notify-target: expected whom to tell, such as varnish=http://127.0.0.1:6081/";
    if (!options.cache)
        return "notify-target: needs an account that follows the database's binary log; fix: set "
               "cache-user";
    if (options.surrogate_key_secret.empty())
        return "notify-target: needs the secret with which the server names what responses depend "
               "on; fix: set surrogate-key and surrogate-key-secret-file";
    if (state.empty())
        return "notify-state: expected the path of a file that this account may write";
    if (db::resolved(options.database_hosts).are_several())
        return "notify-target: needs a `database` of one host, since hosts do not change at once";
    return {};
}

parser::Result<std::vector<Target>> read_targets(Options const& options) {
    auto const schema = read_schema(options);
    if (!schema) return schema.error();
    bool const has_documents = std::ranges::any_of(
        (*schema)->types, [](auto const& type) { return type.second->has_documents; });
    return Target::read_all(options.notify_targets,
                            {.site = db::TagNames(options.surrogate_key_secret).of_all(),
                             .secret_file = options.notify_secret_file,
                             .tells_drafts = options.notify_drafts,
                             .has_document_ids = has_documents});
}

void log_start(Options const& options, std::vector<Target> const& targets) {
    std::string names;
    for (Target const& target : targets)
        names.append(names.empty() ? "" : ", ").append(target.name());
    LogLine(LogLevel::info, "starting")
        .add("version", POPULATE_VERSION)
        .add("project", options.schema)
        .add("database", options.database_hosts.first().address())
        .add("targets", names)
        .write();
}

// Waits for a signal to end, and then for that end, whatever it waits for: all that it would lose
// is told again after the next start.
void end_by_signal(Notifier& notifier, std::future<void> const& ended) {
    constexpr auto patience = std::chrono::milliseconds(900);
    sigset_t signals;
    sigemptyset(&signals);
    for (int const signal : {SIGTERM, SIGINT})
        sigaddset(&signals, signal);
    int received = 0;
    while (::sigwait(&signals, &received) != 0) {
    }
    log_line(LogLevel::info, "stopping");
    tell_systemd("STOPPING=1");
    notifier.stop();
    if (ended.wait_for(patience) != std::future_status::ready) std::_Exit(exit_ok);
}

int run_notify(Options const& options) {
    set_log(options.log.format, options.log.level);
    auto const refuse = [](std::string const& why) {
        log_line(LogLevel::error, why);
        return exit_configuration;
    };
    auto const state = state_path(options);
    if (auto const lack = lack_of(options, state); !lack.empty()) return refuse(lack);
    auto targets = read_targets(options);
    if (!targets) return refuse(targets.error().message);
    ::signal(SIGPIPE, SIG_IGN); // the reader of the log may be gone
    parser::block_all_signals();
    log_start(options, *targets);
    std::promise<void> end;
    std::thread signals;
    {
        Notifier notifier(options, *std::move(targets), notify::StateFile(state));
        signals =
            std::thread([&notifier, ended = end.get_future()] { end_by_signal(notifier, ended); });
        tell_systemd("READY=1");
        notifier.run();
    }
    end.set_value();
    signals.join();
    log_line(LogLevel::info, "stopped");
    return exit_ok;
}

} // namespace

Run declare_notify(CommandLine) {
    return run_notify;
}

} // namespace fcgi
