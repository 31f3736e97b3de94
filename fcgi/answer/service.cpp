#include "fcgi/answer/service.hpp"

#include "db/cms/tables.hpp"
#include "fcgi/answer/following.hpp"
#include "parser/base/signals.hpp"

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <future>
#include <utility>

namespace fcgi {

namespace {

constexpr auto watch_interval = std::chrono::seconds(5);
// All columns are read at least so often, where the binlog does not say when they change.
constexpr auto columns_interval = std::chrono::seconds(15);
constexpr auto look_interval = std::chrono::seconds(4); // before ProjectFiles makes a request look

db::SessionOptions session_options(Options const& options) {
    db::SessionOptions session;
    session.statement_timeout = options.limits.statement;
    session.connect_timeout = options.limits.acquire;
    session.galera_sync = options.galera_sync;
    return session;
}

std::optional<db::TagNames> tag_names_of(Options const& options) {
    if (options.surrogate_key.empty()) return std::nullopt;
    return db::TagNames(options.surrogate_key_secret);
}

Tables tables_of(db::ChangeLog* log, db::TableNames const& names) {
    if (!log) return nullptr;
    std::vector<db::ChangeLog::Table const*> tables;
    for (auto const name : names)
        tables.push_back(log->table(name));
    return std::make_shared<decltype(tables) const>(std::move(tables));
}

Tables both(Tables const& some, Tables const& others) {
    if (!some || !others) return nullptr;
    auto tables = *some;
    tables.insert(tables.end(), others->begin(), others->end());
    return std::make_shared<decltype(tables) const>(std::move(tables));
}

} // namespace

Service::Service(Options options, Observer observe)
    : options_(std::move(options)),
      observe_(std::move(observe)),
      pool_(db::resolved(options_.database_hosts), session_options(options_), options_.connections),
      change_log_(make_change_log(options_,
                                  [this](Event const& event) {
                                      note_cache(event);
                                      observe_(event);
                                  })),
      tag_names_(tag_names_of(options_)),
      cms_tables_(tables_of(change_log_.get(), db::cms_tables())),
      answers_(change_log_ ? options_.cache_memory : 0),
      prober_(pool_.hosts()),
      reports_(options_, observe_),
      files_(options_.schema) {
    pool_.hosts().tell = [this](db::HostEvent const& event) {
        observe_(
            Notice{event.why.empty() ? EventId("database-host-used") : "database-host-left-out",
                   {event.host, event.why},
                   event.left});
    };
    pool_.tell = [this](bool is_away) {
        observe_(Notice{is_away ? EventId("database-away") : "database-back"});
    };
    pool_.tell_granted = [this](std::size_t granted, std::string const& why) {
        observe_(
            Notice{"connections-refused", {std::to_string(options_.connections), why}, granted});
    };
    if (change_log_)
        pool_.hosts().moved = [this](db::HostPointer const& host) {
            follow(*change_log_, host ? &host->url() : nullptr, options_);
        };
}

parser::Result<std::unique_ptr<Service>> Service::create(Options options, Observer observe) {
    std::unique_ptr<Service> service(new Service(std::move(options), std::move(observe)));
    if (auto done = service->read("schema-read"); !done) return done.error();
    return service;
}

parser::Result<void> Service::read(EventId done) {
    auto const stamp = files_.stamp();
    auto schema = read_schema(options_);
    files_.note_read(stamp);
    std::vector<db::LeftOut> left_out;
    std::shared_ptr<db::Schema const> told;
    {
        std::lock_guard const lock(mutex_);
        if (!schema) return schema.error();
        left_out = (*schema)->left_out;
        for (auto const& [what, why] : (*schema)->unused_defaults)
            left_out.push_back({"default parameters: " + what, why});
        told = *schema;
        loaded_ = *std::move(schema);
        fitted_ = {};
        state_ = {};
        reports_.look_again();
        reading_.reset(); // only those who wait for its result get it
    }
    observe_(Notice{done});
    reports_.report_release(*told);
    for (auto const& [what, why] : left_out)
        observe_(Notice{"left-out", {what, why}});
    return {};
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

void Service::forget(State const& stale, std::string_view why) {
    observe_(Notice{"schema-outdated", {why}});
    std::lock_guard const lock(mutex_);
    if (state_.value.get() != &stale) return;
    fitted_ = {};
    state_ = {};
    reading_.reset();
}

bool Service::is_known(Freshness const& fresh) const {
    return state_.value && fresh.holds(state_.origin);
}

std::shared_ptr<Service::State> Service::known_state(Freshness const& fresh) {
    bool const are_files_known = files_.are_known(fresh.now());
    std::lock_guard const lock(mutex_);
    return are_files_known && is_known(fresh) ? state_.value : nullptr;
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

struct Service::Reading {
    Clock::time_point begun;
    std::shared_future<StateResult> result;
};

// One thread reads, and the others wait for its result, good or bad. A request that arrived after
// it began may find that outdated, and reads again.
Service::StateResult Service::state(Freshness const& fresh, parser::Deadline const& deadline,
                                    Clock::time_point waiting_since) {
    db::Pool::Wait const wait(options_.limits.acquire, waiting_since);
    if (auto known = known_state(fresh)) return known;
    look_at_files(fresh.now());
    std::promise<StateResult> promise;
    auto const mine =
        std::make_shared<Reading const>(Reading{fresh.now(), promise.get_future().share()});
    for (;;) {
        std::unique_lock lock(mutex_);
        if (is_known(fresh)) return state_.value; // another thread read it meanwhile
        bool const is_recent = reading_ && (fresh.knows_changes() || fresh.now() - reading_->begun <
                                                                         options_.permission_ttl);
        if (!is_recent) {
            reading_ = mine;
            break;
        }
        auto const others = reading_;
        lock.unlock();
        auto const in_time = std::min(deadline.at, wait.end());
        if (others->result.wait_until(in_time) != std::future_status::ready)
            return parser::unavailable(&parser::Limits::acquire, wait.timeout,
                                       "the permissions were not read");
        if (!fresh.knows_changes() || others->begun >= waiting_since) return others->result.get();
    }
    auto const finish = [&](Cached<std::shared_ptr<State>> state) {
        std::lock_guard const lock(mutex_);
        if (reading_ != mine) return; // forgotten meanwhile
        reading_.reset();
        if (state.value) state_ = std::move(state);
    };
    try {
        auto read = read_state(fresh, wait);
        auto const result = read ? StateResult(read->value) : StateResult(read.error());
        finish(read ? *std::move(read) : Cached<std::shared_ptr<State>>());
        promise.set_value(result);
        return result;
    } catch (...) {
        finish({});
        throw;
    }
}

parser::Result<Cached<std::shared_ptr<Service::State>>>
Service::read_state(Freshness const& fresh, db::Pool::Wait const& wait) {
    auto lease = pool_.acquire(wait);
    if (!lease) return lease.error();
    auto const mark = fresh.begin(*lease, db::Extent::snapshot, tables_of_site(), {wait.end()});
    if (!mark) return mark.error();
    auto schema = fitted_schema(**lease, fresh, *mark);
    if (!schema) return schema.error();
    reports_.report_lacks(**schema);
    auto site = db::read_site(**lease, **schema);
    if (!site) return site.error();
    auto state = state_of(*std::move(schema), *std::move(site));
    Origin const origin{state->account_tables.site, *mark};
    return Cached<std::shared_ptr<State>>{std::move(state), origin};
}

std::shared_ptr<Service::State> Service::state_of(std::shared_ptr<db::Schema const> schema,
                                                  db::Site site) {
    std::lock_guard const lock(mutex_);
    if (auto const& known = state_.value; known && known->schema == schema && known->site == site &&
                                          known->relations == relations_.value)
        return known;
    if (!documents_ || documents_->schema() != schema)
        documents_ = std::make_shared<Documents>(schema, options_);
    return std::shared_ptr<State>(new State{schema,
                                            documents_,
                                            std::move(site),
                                            relations_.value,
                                            tables_of_accounts(*schema, relations_.value.get()),
                                            ++states_,
                                            tag_names_ ? db::row_keys(*schema) : db::RowKeys(),
                                            {},
                                            {}});
}

// Returns the tables that a state is read from, as far as they are known before it is.
Tables Service::tables_of_site() {
    {
        std::lock_guard const lock(mutex_);
        if (state_.value && state_.value->relations) return state_.value->account_tables.site;
    }
    Tables tables = cms_tables_;
    for (auto const version : db::all_versions) {
        db::Schema schema;
        schema.cms = db::cms_of(version);
        tables = both(tables, tables_of(change_log_.get(), db::site_tables(schema)));
    }
    return tables;
}

Tables Service::dependencies(db::TableRelations const* relations, db::TableNames const& names) {
    if (!change_log_ || !relations) return nullptr;
    auto const found = relations->dependencies(names);
    if (found.untold) return nullptr;
    std::vector<db::ChangeLog::Table const*> tables;
    tables.reserve(found.tables.size());
    for (auto const& [database, name] : found.tables)
        tables.push_back(change_log_->table(name, database));
    return std::make_shared<decltype(tables) const>(std::move(tables));
}

AccountTables Service::tables_of_accounts(db::Schema const& schema,
                                          db::TableRelations const* relations) {
    return {both(dependencies(relations, db::site_tables(schema)), cms_tables_),
            dependencies(relations, db::user_tables(schema)),
            dependencies(relations, db::api_token_tables(schema))};
}

bool Service::is_fitted(Freshness const& fresh) const {
    return fitted_.value && fresh.holds(fitted_.origin, watch_interval);
}

// Returns the fitted schema if nothing of it is missing, a CMS is there, and so are the tables
// still; null otherwise. Table names suffice for a while: a CMS that changes columns writes its
// files, and a request for a column that is gone finds out. Only their order may be another.
Service::SchemaResult Service::settled_schema(db::Connection& connection, Freshness const& fresh) {
    {
        std::lock_guard const lock(mutex_);
        auto const& fitted = fitted_.value;
        if (!fitted || !fitted->has_cms || !fitted->lacks.empty()) return nullptr;
        bool const are_columns_known = fresh.knows_changes()
                                           ? fresh.structure_holds(fitted_.origin)
                                           : Clock::now() - columns_read_ < columns_interval;
        if (!are_columns_known) return nullptr;
    }
    auto const names = db::read_table_names(connection);
    if (!names) return names.error();
    std::lock_guard const lock(mutex_);
    bool const are_there = std::ranges::all_of(
        tables_, [&](auto const& table) { return names->contains(table.first); });
    return are_there ? fitted_.value : nullptr;
}

Service::SchemaResult Service::fitted_schema(db::Connection& connection, Freshness const& fresh,
                                             ReadMark const& mark) {
    {
        std::lock_guard const lock(mutex_);
        if (is_fitted(fresh)) return fitted_.value;
    }
    reports_.report_indexes(connection, fresh);
    auto schema = settled_schema(connection, fresh);
    if (schema && !*schema) schema = newly_fitted_schema(connection);
    if (!schema) return schema;
    if (auto done = read_relations(connection, fresh, mark); !done) return done.error();
    std::lock_guard const lock(mutex_);
    if (fitted_.value == *schema) // otherwise there was a reload meanwhile
        fitted_.origin = {cms_tables_, mark};
    return schema;
}

parser::Result<void> Service::read_relations(db::Connection& connection, Freshness const& fresh,
                                             ReadMark const& mark) {
    if (!fresh.knows_changes()) return {};
    {
        std::lock_guard const lock(mutex_);
        if (relations_.value && fresh.structure_holds(relations_.origin)) return {};
    }
    auto relations = db::TableRelations::read(connection);
    if (!relations) return relations.error();
    std::lock_guard const lock(mutex_);
    if (!relations_.value || *relations_.value != *relations)
        relations_.value = std::make_shared<db::TableRelations const>(*std::move(relations));
    relations_.origin.mark = mark;
    return {};
}

Service::SchemaResult Service::newly_fitted_schema(db::Connection& connection) {
    std::shared_ptr<db::Schema> schema;
    {
        std::lock_guard const lock(mutex_);
        schema = std::exchange(loaded_, nullptr);
        columns_read_ = Clock::now();
    }
    auto tables = db::read_table_columns(connection);
    if (!tables) return tables.error();
    if (auto done = db::check_migration(connection, *tables); !done) return done.error();
    if (auto why = db::too_old(*tables))
        return parser::Error{parser::ErrorKind::unsupported, "Bad Gateway", *std::move(why)};
    auto const has_cms = db::find_cms(connection);
    if (!has_cms) return has_cms.error();
    {
        std::lock_guard const lock(mutex_);
        auto const& fitted = fitted_.value;
        if (fitted && *tables == tables_ && fitted->has_cms == *has_cms) return fitted;
    }
    auto const version = db::database_version(*tables);
    bool const is_other = schema && !options_.strapi && version && schema->cms.version != *version;
    if (!schema || is_other) {
        auto loaded = read_schema(options_, version);
        if (!loaded) return loaded.error();
        schema = *std::move(loaded);
    }
    db::set_has_cms(*schema, *has_cms);
    if (auto known = db::read_custom_fields(connection, *schema); !known) return known.error();
    db::read_columns(*schema, *tables);
    std::lock_guard const lock(mutex_);
    if (loaded_) return schema; // there was a reload meanwhile
    fitted_.value = schema;
    tables_ = *std::move(tables);
    return fitted_.value;
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

std::string Service::why_no_cache() {
    std::lock_guard const lock(noting_);
    return why_no_cache_;
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

} // namespace fcgi
