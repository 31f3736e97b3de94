#include "fcgi/notify/notify.hpp"

#include "db/binlog/row_tag.hpp"
#include "db/binlog/transactions.hpp"
#include "db/mysql/database_url.hpp"
#include "db/schema/project_folder.hpp"
#include "fcgi/handler/read_schema.hpp"
#include "fcgi/notify/outboxes.hpp"
#include "fcgi/notify/target.hpp"
#include "fcgi/notify/translator.hpp"
#include "fcgi/notify/written_files.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/process/log.hpp"
#include "fcgi/process/systemd.hpp"
#include "parser/base/error.hpp"
#include "parser/base/signals.hpp"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <iterator>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace fcgi::notify {

namespace {

using namespace std::chrono_literals;

constexpr auto tick = 100ms;
// As often the server sends something, so that nothing else has to wait longer.
constexpr auto heartbeat = 250ms;
constexpr auto shortest_pause = 100ms;
// What has changed meanwhile is told late: a database that is back is to be followed at once.
constexpr std::chrono::milliseconds longest_pause = 500ms;
// MySQL logs DDL before others see its effect.
constexpr auto until_ddl_is_visible = 1s;
// The server looks at the files at least every 5 s, and reads them then.
constexpr auto until_server_has_read = 10s;
constexpr auto write_interval = 1s; // nothing is read while the disk is waited for
constexpr auto metrics_interval = 5s;
// While a target is down, not every place is kept from which it could go on.
constexpr std::size_t most_checkpoints = 4'096;

db::ChangeLog::Settings log_settings(Options const& options) {
    return {.url = options.cache_url, .heartbeat = heartbeat};
}

void log_target(std::string const& target, std::string const& why) {
    if (why.empty())
        log_line(LogLevel::info, "the target takes what it is told again: ", target);
    else
        log_line(LogLevel::warning,
                 "the target does not take what it is told: ", target + ": " + why);
}

std::string files_of(Options const& options, std::vector<Target> const& targets) {
    std::string text;
    if (auto const described = db::read_text(options.description)) text = *described;
    text.append(1, '\0');
    for (Target const& target : targets)
        text.append(target.file_text()).append(1, '\0');
    return text;
}

std::string_view why_site(db::Transaction const& transaction, bool is_stale) {
    if (transaction.structure) return "tables or columns may have changed";
    if (transaction.rows_of_all) return "the binlog does not say which rows have changed";
    return is_stale ? "the columns of the tables are not known yet"
                    : "permissions, locales or settings have changed";
}

// Reads the binlog and tells targets what changed, until it is stopped. What cannot be told row by
// row is told as `site`: everything may have changed.
class Notifier {
  public:
    Notifier(Options const& options, std::vector<Target> targets, std::filesystem::path state);
    Notifier(Notifier const&) = delete;

    // Returns soon after stop().
    void run();
    // Any thread.
    void stop();

  private:
    using Clock = std::chrono::steady_clock;

    // Something that is tried again after growing pauses. Its trouble is logged when it is another.
    struct Attempts {
        Clock::time_point due{};
        std::chrono::milliseconds pause{0};
        std::string trouble;

        void note(std::string_view doing, parser::Error const& error);
    };

    void load_state();
    void follow();
    void read_on();
    void take(db::Transaction const& transaction);
    void read_columns();
    void look_at_files();
    void add(ChangeBatch batch);
    void add_site(std::string_view why);
    void add_site_twice(std::string_view why);
    void owe_site();
    void settle();
    void write_state(bool is_last);
    void write(Checkpoint checkpoint);
    void write_metrics();
    std::string fingerprint() const;
    bool is_stopped();
    void pause();

    Options const& options_;
    db::TagNames names_;
    std::filesystem::path const state_path_;
    db::TransactionReader reader_;
    Translator translator_;
    ProjectFiles files_;
    db::ProjectStamp stamp_; // of the files that were read, or told to have changed
    // The texts of the files that settings name: templates, and the description, by which the
    // server responds otherwise.
    std::string const setting_files_;

    Attempts following_, reading_;
    bool is_following_ = false;
    std::optional<Checkpoint> loaded_;  // from the file, until it is used
    std::optional<db::LogPlace> place_; // where to read on
    std::string gap_;                   // why there is no such place
    // The columns have to be read, at this time. Until then any change is told as `site`.
    std::optional<Clock::time_point> stale_until_ = Clock::time_point();
    std::optional<Clock::time_point> site_again_; // when to tell it once more
    // What the next state is of. Empty while there is more to do than to read on from its place.
    std::string settled_;

    // Each holds once the batch of this number is delivered; they are counted from 1.
    std::map<std::uint64_t, Checkpoint> checkpoints_;
    std::uint64_t added_ = 0;
    std::optional<Checkpoint> written_;
    Clock::time_point written_at_{};
    Clock::time_point counted_at_{};

    std::mutex mutex_; // guards the next two
    std::condition_variable stopped_;
    bool stops_ = false;

    Outboxes outboxes_; // the last member: its threads end first
};

void Notifier::Attempts::note(std::string_view doing, parser::Error const& error) {
    pause = std::clamp(2 * pause, 0ms + shortest_pause, longest_pause);
    due = Clock::now() + pause;
    auto const& why = error.cause.empty() ? error.message : error.cause;
    if (std::exchange(trouble, why) != why) log_line(LogLevel::warning, doing, why);
}

Notifier::Notifier(Options const& options, std::vector<Target> targets, std::filesystem::path state)
    : options_(options),
      names_(options.surrogate_key_secret),
      state_path_(std::move(state)),
      reader_(log_settings(options)),
      translator_(options, names_, reader_),
      files_(options),
      setting_files_(files_of(options, targets)),
      outboxes_(std::move(targets), log_target) {
}

void Notifier::stop() {
    {
        std::lock_guard const lock(mutex_);
        stops_ = true;
    }
    stopped_.notify_all();
    reader_.interrupt();
}

bool Notifier::is_stopped() {
    std::lock_guard const lock(mutex_);
    return stops_;
}

void Notifier::pause() {
    std::unique_lock lock(mutex_);
    stopped_.wait_for(lock, tick, [this] { return stops_; });
}

void Notifier::run() {
    Heartbeat heart;
    files_.watch();
    load_state();
    while (!is_stopped()) {
        heart.beat(Clock::now());
        look_at_files();
        read_columns();
        if (is_following_)
            read_on();
        else if (!translator_.columns().empty() && Clock::now() >= following_.due)
            follow();
        else
            pause();
        write_state(false);
        write_metrics();
    }
    write_state(true);
}

void Notifier::load_state() {
    auto state = read_checkpoint(state_path_);
    if (!state)
        log_line(LogLevel::warning, "cannot read on where it ended: ", state.error().message);
    gap_ =
        state ? "there is no state of an earlier run" : "the state of an earlier run is not known";
    if (state) loaded_ = *std::move(state);
    if (loaded_) gap_ = "settings, schema files or tables are others than in the last run";
    written_ = loaded_;
}

void Notifier::follow() {
    if (auto const state = std::exchange(loaded_, std::nullopt))
        if (state->columns == fingerprint() && state->secret == names_.of_all())
            place_ = state->place;
    auto const begun = reader_.begin(options_.cache_url, place_);
    if (is_stopped()) return;
    if (!begun) return following_.note("the binlog cannot be followed: ", begun.error());
    auto const& gap = place_ ? begun->gap : gap_;
    place_ = reader_.place();
    following_ = {};
    is_following_ = true;
    log_line(LogLevel::info, "following the binlog of ", begun->server);
    notify_systemd("STATUS=following the binlog of " + begun->server);
    if (gap.empty()) return;
    stale_until_ = Clock::now(); // they may have changed since they were read
    add_site_twice(gap);
}

void Notifier::read_on() {
    auto const read = reader_.next(Clock::now() + tick);
    if (!read && is_stopped()) return; // it was interrupted
    place_ = reader_.place();
    if (read) { // also while this stops: what comes before the place counts as told
        if (*read) take(**read);
        return;
    }
    is_following_ = false;
    if (!place_) gap_ = "the binlog cannot be read on where it was read to";
    following_.note("the binlog is not followed for now: ", read.error());
    notify_systemd("STATUS=the binlog is not followed for now");
}

void Notifier::take(db::Transaction const& transaction) {
    auto batch = translator_.batch_of(transaction);
    if (transaction.structure) {
        stale_until_ = Clock::now() + until_ddl_is_visible;
        settled_.clear();
    }
    bool const is_stale = !batch.site;
    if (batch.site || stale_until_) {
        batch.site = true;
        batch.names.clear();
        log_repeatable(LogLevel::info, "everything may have changed: " +
                                           std::string(why_site(transaction, is_stale)));
    }
    add(std::move(batch));
}

// What the binlog has after this was read is read by newer columns only if they have changed since;
// then it says so, too. Changes meanwhile of tables that were not known yet were not noticed.
void Notifier::read_columns() {
    if (!stale_until_ || Clock::now() < std::max(*stale_until_, reading_.due)) return;
    auto const stamp = files_.stamp();
    auto const columns = translator_.columns();
    auto const read = translator_.read();
    files_.note_read(stamp);
    if (!read) return reading_.note("cannot read schema and tables: ", read.error());
    reading_ = {};
    stale_until_.reset();
    bool const are_others = std::exchange(stamp_, stamp) != stamp;
    if (are_others && !columns.empty())
        return add_site_twice("the schema files have changed"); // before look_at_files() looked
    settle();
    if (!columns.empty() && columns != translator_.columns())
        add_site("tables or columns have changed");
}

void Notifier::look_at_files() {
    auto const now = Clock::now();
    if (site_again_ && now >= *site_again_) {
        site_again_.reset();
        settle();
        add_site("the server may have noticed only now");
    }
    if (files_.are_known(now)) return;
    auto const look = files_.look();
    if (!look.unwatched.empty())
        log_line(LogLevel::warning,
                 "the schema files cannot be watched and are compared every 5 s instead: ",
                 look.unwatched);
    if (look.are_others && !translator_.columns().empty()) {
        stale_until_ = now;
        stamp_ = look.found;
        add_site_twice("the schema files have changed");
    }
    files_.note_look(look);
}

void Notifier::settle() {
    if (!stale_until_ && !site_again_) settled_ = fingerprint();
}

// The reader's place is behind the batch; where there is none, the next one will be.
void Notifier::add(ChangeBatch batch) {
    batch.position = ++added_;
    if (place_) checkpoints_[added_] = {*place_, settled_, names_.of_all()};
    if (checkpoints_.size() > most_checkpoints) {
        std::size_t number = 0;
        std::erase_if(checkpoints_, [&](auto const&) { return number++ % 2 == 1; });
    }
    outboxes_.add(batch);
}

void Notifier::add_site(std::string_view why) {
    log_repeatable(LogLevel::info, "everything may have changed: " + std::string(why));
    ChangeBatch batch;
    batch.site = true;
    add(std::move(batch));
}

void Notifier::add_site_twice(std::string_view why) {
    site_again_ = Clock::now() + until_server_has_read;
    settled_.clear();
    owe_site();
    add_site(why);
}

// If this ends before everything is told, the next start owes it, even if by then all is as it was
// when the state was written.
void Notifier::owe_site() {
    if (!written_ || written_->columns.empty()) return;
    auto owed = *written_;
    owed.columns.clear();
    write(std::move(owed));
}

void Notifier::write_state(bool is_last) {
    auto const now = Clock::now();
    if (!is_last && now - written_at_ < write_interval) return;
    auto const delivered = outboxes_.delivered();
    std::optional<Checkpoint> state;
    auto const end = checkpoints_.upper_bound(delivered);
    if (end != checkpoints_.begin()) state = std::prev(end)->second;
    checkpoints_.erase(checkpoints_.begin(), end);
    // The binlog also grows by what nobody is told.
    if (delivered == added_ && added_ > 0 && place_) state = {*place_, settled_, names_.of_all()};
    written_at_ = now;
    if (state && state != written_) write(*std::move(state));
}

void Notifier::write(Checkpoint checkpoint) {
    if (auto const done = write_checkpoint(state_path_, checkpoint); !done)
        return log_repeatable(LogLevel::error, "cannot write the state: " + done.error().message);
    written_ = std::move(checkpoint);
}

void Notifier::write_metrics() {
    auto const now = Clock::now();
    if (options_.notify_metrics_file.empty() || now - counted_at_ < metrics_interval) return;
    counted_at_ = now;
    auto const text = exposition_of(outboxes_.counts(), is_following_);
    if (auto const done = notify::write_metrics(options_.notify_metrics_file, text); !done)
        log_repeatable(LogLevel::error, "cannot write the metrics: " + done.error().message);
}

// Returns what must be the same for what was not told yet to be told as it would have been. It has
// no secrets: the file that it is written to may be copied.
std::string Notifier::fingerprint() const {
    std::string text = POPULATE_VERSION;
    for (auto const& [name, value] : options_.written)
        if (!name.starts_with("log-") && name != "database" && name != "jwt-secret" &&
            name != "api-token-salt")
            text.append(1, '\0').append(name).append(1, '=').append(value);
    text.append(1, '\0').append(options_.cache_url.name); // of `database` only the name
    text.append(1, '\0').append(setting_files_);
    text.append(1, '\0').append(std::to_string(stamp_.digest));
    return db::sha256_of(text.append(1, '\0').append(translator_.columns()));
}

std::string state_path(Options const& options) {
    if (!options.notify_state.empty()) return options.notify_state;
    char const* const folder = std::getenv("STATE_DIRECTORY"); // StateDirectory of the unit
    return folder ? std::string(folder) + "/state" : std::string();
}

// Returns what is missing, and how to get it; empty: nothing is.
std::string refusal_of(Options const& options, std::string const& state) {
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
                             .reports_drafts = options.notify_drafts,
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
    notify_systemd("STOPPING=1");
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
    if (auto const refusal = refusal_of(options, state); !refusal.empty()) return refuse(refusal);
    auto targets = read_targets(options);
    if (!targets) return refuse(targets.error().message);
    ::signal(SIGPIPE, SIG_IGN); // the reader of the log may be gone
    parser::block_all_signals();
    log_start(options, *targets);
    std::promise<void> end;
    std::thread signals;
    {
        Notifier notifier(options, *std::move(targets), state);
        signals =
            std::thread([&notifier, ended = end.get_future()] { end_by_signal(notifier, ended); });
        notify_systemd("READY=1");
        notifier.run();
    }
    end.set_value();
    signals.join();
    log_line(LogLevel::info, "stopped");
    return exit_ok;
}

} // namespace

} // namespace fcgi::notify

namespace fcgi {

Run declare_notify(CommandLine) {
    return notify::run_notify;
}

} // namespace fcgi
