#include "fcgi/handler/service.hpp"

#include "fcgi/options/described.hpp"
#include "parser/base/signals.hpp"

#include <boost/algorithm/string/join.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <iterator>
#include <string_view>
#include <variant>

// How Service hears of changes in the database, its hosts, the project's files and the options, and
// what it says of that to /_ready.

namespace fcgi {

namespace {

constexpr auto look_interval = std::chrono::seconds(4); // before ProjectFiles makes a request look

// Turn what the change log reports of itself into events of ours.
void report(Observer const& observe, db::EpochBegan const& began) {
    observe(Notice{"cache-began", {began.server}});
}
void report(Observer const& observe, db::EpochEnded const& ended) {
    observe(Notice{"cache-ended", {ended.why, ended.fix}});
}
void report(Observer const& observe, db::LogRefused const& refused) {
    for (db::Obstacle const& obstacle : refused.obstacles)
        observe(Notice{"cache-refused", {obstacle.what, obstacle.detail, obstacle.fix}});
}
void report(Observer const& observe, db::StatementsInvalidateAll const& statements) {
    observe(Notice{"cache-voided", {statements.first_word, statements.fix}});
}
void report(Observer const& observe, db::ServersDiffer const& differ) {
    observe(Notice{"cache-refused", {"`database` leads to more than one server", "", differ.fix}});
}

// Returns the names of options that have changed, except those that a reload reads.
std::string waiting(Options const& before, Options const& now) {
    auto names = changed_options(before.written, now.written);
    std::ranges::move(changed_options(before.described, now.described), std::back_inserter(names));
    std::erase_if(names, [](std::string const& name) {
        return name.starts_with("log-") || name == "database" || name == "database-password-file";
    });
    return boost::join(names, ", ");
}

// Reads the options again. The pool gets the hosts that they name by now, unless they cannot be
// read; which other options have changed is reported.
void read_options(Options const& options, Observer const& observe, db::Pool& pool) {
    if (!options.read_again) return;
    auto const again = options.read_again();
    if (!again) return observe(Notice{"settings-kept", {"the settings cannot be read"}});
    auto const names = waiting(options, *again);
    if (!names.empty()) observe(Notice{"settings-wait", {names}});
    pool.hosts().replace(db::resolved(again->database_hosts));
    pool.clear(); // connections may lead to hosts that are gone
}

// Follows the binlog of that server from now on, with the account for it; null: of no server.
void follow(db::ChangeLog& log, db::DatabaseUrl const* server, Options const& options) {
    if (!server) return log.follow(std::nullopt);
    auto url = *server;
    url.user = options.cache_url.user;
    url.password = options.cache_url.password;
    log.follow(std::move(url));
}

// Anyone may ask, so this says what kind of thing is wrong, and no names.
parser::Error not_ready(parser::Error error) {
    using enum parser::ErrorKind;
    std::string_view what = "the permissions and settings in the database cannot be read";
    if (parser::is_of_the_moment(error.kind))
        what = "the database does not answer, or answers too late";
    if (error.kind == not_granted)
        what = "the database account may not read everything that it has to";
    if (error.kind == schema_changed) what = "the database lacks tables or columns";
    return {unavailable, std::string("Not ready: ").append(what), std::move(error.cause),
            std::move(error.subject)};
}

// Returns `2 of 3`, for example. Without a primary nobody knows how far behind they are.
std::string hosts_status(db::HostsView const& view) {
    auto const& hosts = view.hosts;
    auto const asked =
        std::ranges::count_if(hosts, [](auto& host) { return host.trouble.empty(); });
    auto const text = std::to_string(asked) + " of " + std::to_string(hosts.size());
    return view.has_primary ? text : text + "; no primary";
}

} // namespace

std::unique_ptr<db::ChangeLog> Service::make_change_log() {
    if (!options_.cache) return nullptr;
    return std::make_unique<db::ChangeLog>(
        db::ChangeLog::Settings{.url = options_.cache_url,
                                .server_id = options_.cache_server_id,
                                .galera_sync = options_.galera_sync},
        [observe = Observer([this](Event const& event) {
             note_cache(event);
             observe_(event);
         })](db::ChangeLogEvent const& reported) {
            std::visit([&](auto const& event) { report(observe, event); }, reported);
        });
}

void Service::note_cache(Event const& event) {
    auto const& [id, words, number] = std::get<Notice>(event);
    auto const& [what, detail, fix] = words;
    std::string why;
    if (id == "cache-refused")
        why.append(what).append("; ").append(detail.empty() ? fix
                                                            : "`populate-fcgi check` says more");
    else if (id == "cache-ended")
        why = "the database's binary log cannot be followed for now";
    else if (id != "cache-began")
        return;
    std::lock_guard const lock(noting_);
    why_no_cache_ = std::move(why);
}

void Service::follow_hosts() {
    pool_.hosts().report_host = [this](db::HostEvent const& event) {
        observe_(
            Notice{event.why.empty() ? EventId("database-host-used") : "database-host-left-out",
                   {event.host, event.why},
                   event.left});
    };
    pool_.report_away = [this](bool is_away) {
        observe_(Notice{is_away ? EventId("database-away") : "database-back"});
    };
    pool_.report_granted = [this](std::size_t granted, std::string const& why) {
        observe_(
            Notice{"connections-refused", {std::to_string(options_.connections), why}, granted});
    };
    if (change_log_)
        pool_.hosts().moved = [this](db::HostPointer const& host) {
            follow(*change_log_, host ? &host->url() : nullptr, options_);
        };
}

void Service::follow_changes() {
    prober_.start();
    // Without a change log requests look at the files every few seconds, as at the database's
    // roles; to ask the system each time would cost them 6 us.
    if (!change_log_) return;
    files_.watch();
    looking_at_files_ =
        std::jthread([this](std::stop_token const& stopped) { keep_looking_at_files(stopped); });
    change_log_->start();
}

void Service::reload() {
    read_options(options_, observe_, pool_);
    prober_.start();
    read_again("reloaded");
}

void Service::read_again(EventId done) {
    if (auto schema = read(done); !schema)
        observe_(Notice{"schema-kept", {schema.error().message}});
}

// The CMS writes the files when an attribute changes; one that became private is so from then on.
void Service::look_at_files(Clock::time_point at) {
    if (files_.are_known(at)) return;
    std::lock_guard const looking(looking_);
    if (files_.are_known(at)) return; // another thread looked meanwhile
    auto const look = files_.look();
    if (!look.unwatched.empty()) observe_(Notice{"files-unwatched", {look.unwatched}});
    if (look.are_others) read_again("reloaded-changed-files");
    files_.note_look(look);
}

// Looks while requests come, so that none of them has to. If memory runs out, the next one does.
void Service::keep_looking_at_files(std::stop_token const& stopped) {
    parser::block_all_signals();
    std::mutex waiting;
    std::condition_variable_any stop;
    std::unique_lock lock(waiting);
    while (!stop.wait_for(lock, stopped, look_interval, [] { return false; }) &&
           !stopped.stop_requested()) {
        if (!files_.is_asked()) continue;
        try {
            look_at_files(Clock::now() + look_interval);
        } catch (std::exception const& error) {
            observe_(Notice{"schema-kept", {error.what()}});
        }
    }
}

// Returns a Cache-Status (RFC 9211). A process that is ready without its cache reports why.
std::string Service::cache_status() {
    std::string detail;
    {
        std::lock_guard const lock(noting_);
        detail = why_no_cache_;
    }
    if (detail.empty()) return "populate-fcgi";
    std::ranges::replace(detail, '"', '\'');
    return "populate-fcgi; fwd=bypass; detail=\"" + detail + '"';
}

parser::Result<Representation> Service::readiness(Request const& request) {
    auto const known = state(freshness(request), request.deadline, request.arrived);
    if (!known) return not_ready(known.error());
    auto const connection = pool_.snapshot({options_.limits.acquire, request.arrived});
    if (!connection) return not_ready(connection.error());
    // The log named them when they were first missed.
    if (!(*known)->schema->missing.empty()) return not_ready({parser::ErrorKind::schema_changed});
    Representation representation;
    representation.status = 204;
    representation.media_type = {};
    if (auto const hosts = pool_.hosts().view(); hosts.hosts.size() > 1)
        representation.headers.emplace_back("Database-Hosts", hosts_status(hosts));
    if (change_log_) representation.headers.emplace_back("Cache-Status", cache_status());
    return representation;
}

} // namespace fcgi
