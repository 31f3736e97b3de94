#include "fcgi/notify/notifier.hpp"

#include "db/schema/default_parameters.hpp"
#include "db/schema/project_folder.hpp"
#include "fcgi/notify/metrics_file.hpp"
#include "fcgi/process/log.hpp"
#include "fcgi/process/systemd.hpp"

#include <algorithm>
#include <utility>

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
constexpr std::size_t most_states = 4'096;

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
    if (auto const defaults = db::read_text(options.default_parameters)) text = *defaults;
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

} // namespace

void Notifier::Attempts::note(std::string_view doing, parser::Error const& error) {
    pause = std::clamp(2 * pause, 0ms + shortest_pause, longest_pause);
    due = Clock::now() + pause;
    auto const& why = error.cause.empty() ? error.message : error.cause;
    if (std::exchange(trouble, why) != why) log_line(LogLevel::warning, doing, why);
}

Notifier::Notifier(Options const& options, std::vector<Target> targets, StateFile file)
    : options_(options),
      names_(options.surrogate_key_secret),
      file_(std::move(file)),
      reader_(log_settings(options)),
      translator_(options, names_, reader_),
      files_(options.schema),
      setting_files_(files_of(options, targets)),
      delivery_(std::move(targets), log_target) {
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
    auto state = file_.read();
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
    tell_systemd("STATUS=following the binlog of " + begun->server);
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
    tell_systemd("STATUS=the binlog is not followed for now");
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
void Notifier::add(Batch batch) {
    batch.position = ++added_;
    if (place_) states_.push_back({added_, {*place_, settled_, names_.of_all()}});
    if (states_.size() > most_states) {
        std::size_t number = 0;
        std::erase_if(states_, [&](Added const&) { return number++ % 2 == 1; });
    }
    delivery_.add(batch);
}

void Notifier::add_site(std::string_view why) {
    log_repeatable(LogLevel::info, "everything may have changed: " + std::string(why));
    Batch batch;
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
    auto const delivered = delivery_.delivered();
    std::optional<State> state;
    for (; !states_.empty() && states_.front().number <= delivered; states_.pop_front())
        state = states_.front().state;
    // The binlog also grows by what nobody is told.
    if (delivered == added_ && added_ > 0 && place_) state = {*place_, settled_, names_.of_all()};
    written_at_ = now;
    if (state && state != written_) write(*std::move(state));
}

void Notifier::write(State state) {
    if (auto const done = file_.write(state); !done)
        return log_repeatable(LogLevel::error, "cannot write the state: " + done.error().message);
    written_ = std::move(state);
}

void Notifier::write_metrics() {
    auto const now = Clock::now();
    if (options_.notify_metrics_file.empty() || now - counted_at_ < metrics_interval) return;
    counted_at_ = now;
    auto const text = exposition_of(delivery_.counts(), is_following_);
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

} // namespace fcgi::notify
