#include "fcgi/handler/service.hpp"

#include "db/cms/tables.hpp"
#include "db/read/index.hpp"
#include "fcgi/options/described.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <future>
#include <ranges>
#include <utility>

namespace fcgi {

namespace {

constexpr auto watch_interval = std::chrono::seconds(5);
// All columns are read at least so often, where the binlog does not say when they change.
constexpr auto columns_interval = std::chrono::seconds(15);

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

// Reports that what the CMS says of itself cannot be read, or which settings of it this process
// began without.
void report_settings(Options const& options, Observer const& observe) {
    if (options.description.empty()) return;
    auto const cms = db::read_description(options.description);
    if (!cms) return observe(Notice{"left-out", {"the description", cms.error().message}});
    if (auto const names = newer_settings(*cms, options); !names.empty())
        observe(Notice{"settings-wait", {names}});
}

// Returns a few of a list, in words.
template<class List, class Words>
std::string some_of(List const& list, Words words) {
    constexpr std::size_t few = 5;
    std::string text;
    for (auto const& one : list | std::views::take(few))
        text.append(text.empty() ? "" : "; ").append(std::invoke(words, one));
    if (list.size() > few) text += "; …";
    return text;
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
      change_log_(make_change_log()),
      tag_names_(tag_names_of(options_)),
      cms_tables_(tables_of(change_log_.get(), db::cms_tables())),
      responses_(change_log_ ? options_.cache_memory : 0),
      prober_(pool_.hosts()),
      reports_(options_, observe_),
      files_(options_) {
    follow_hosts();
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
    std::vector<db::Omission> left_out;
    std::shared_ptr<db::Schema const> schema_read;
    {
        std::lock_guard const lock(mutex_);
        if (!schema) return schema.error();
        left_out = (*schema)->left_out;
        schema_read = *schema;
        loaded_ = *std::move(schema);
        fitted_ = {};
        state_ = {};
        reports_.look_again();
        reading_.reset(); // only those who wait for its result get it
    }
    observe_(Notice{done});
    reports_.report_release(*schema_read);
    reports_.report_description(*schema_read);
    report_settings(options_, observe_);
    for (auto const& [what, why] : left_out)
        observe_(Notice{"left-out", {what, why}});
    return {};
}

void Service::invalidate(SiteState const& stale, std::string_view why) {
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

std::shared_ptr<SiteState> Service::known_state(Freshness const& fresh) {
    bool const are_files_known = files_.are_known(fresh.now());
    std::lock_guard const lock(mutex_);
    return are_files_known && is_known(fresh) ? state_.value : nullptr;
}

struct Service::StateReading {
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
    auto const mine = std::make_shared<StateReading const>(
        StateReading{fresh.now(), promise.get_future().share()});
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
    auto const finish = [&](Cached<std::shared_ptr<SiteState>> state) {
        std::lock_guard const lock(mutex_);
        if (reading_ != mine) return; // dropped meanwhile
        reading_.reset();
        if (state.value) state_ = std::move(state);
    };
    try {
        auto read = read_state(fresh, wait);
        auto const result = read ? StateResult(read->value) : StateResult(read.error());
        finish(read ? *std::move(read) : Cached<std::shared_ptr<SiteState>>());
        promise.set_value(result);
        return result;
    } catch (...) {
        finish({});
        throw;
    }
}

parser::Result<Cached<std::shared_ptr<SiteState>>> Service::read_state(Freshness const& fresh,
                                                                       db::Pool::Wait const& wait) {
    auto lease = pool_.acquire(wait);
    if (!lease) return lease.error();
    auto const moment = fresh.begin(*lease, db::Extent::snapshot, tables_of_site(), {wait.end()});
    if (!moment) return moment.error();
    auto schema = fitted_schema(**lease, fresh, *moment);
    if (!schema) return schema.error();
    reports_.report_missing(**schema);
    auto site = db::read_site(**lease, **schema);
    if (!site) return site.error();
    auto state = state_of(*std::move(schema), *std::move(site));
    ReadOrigin const origin{state->account_tables.site, *moment};
    return Cached<std::shared_ptr<SiteState>>{std::move(state), origin};
}

std::shared_ptr<SiteState> Service::state_of(std::shared_ptr<db::Schema const> schema,
                                             db::Site site) {
    std::lock_guard const lock(mutex_);
    if (auto const& known = state_.value; known && known->schema == schema && known->site == site &&
                                          known->relations == relations_.value)
        return known;
    if (!documents_ || documents_->schema() != schema)
        documents_ = std::make_shared<DocumentCache>(schema, options_);
    return std::shared_ptr<SiteState>(
        new SiteState{schema,
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
    if (found.unreported) return nullptr;
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
        if (!fitted || !fitted->has_cms || !fitted->missing.empty()) return nullptr;
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
                                             ReadMoment const& moment) {
    {
        std::lock_guard const lock(mutex_);
        if (is_fitted(fresh)) return fitted_.value;
    }
    reports_.report_indexes(connection, fresh);
    auto schema = settled_schema(connection, fresh);
    if (schema && !*schema) schema = newly_fitted_schema(connection);
    if (!schema) return schema;
    if (auto done = read_relations(connection, fresh, moment); !done) return done.error();
    std::lock_guard const lock(mutex_);
    if (fitted_.value == *schema) // otherwise there was a reload meanwhile
        fitted_.origin = {cms_tables_, moment};
    return schema;
}

parser::Result<void> Service::read_relations(db::Connection& connection, Freshness const& fresh,
                                             ReadMoment const& moment) {
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
    relations_.origin.moment = moment;
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

void SchemaReports::report_release(db::Schema const& schema) {
    auto const& newest = schema.cms.newest;
    auto const& release = schema.release;
    bool const is_unknown = release && release->major == newest.major && *release > newest;
    {
        std::lock_guard const lock(mutex_);
        if (std::exchange(release_is_unknown_, is_unknown) == is_unknown) return;
    }
    if (is_unknown)
        observe_(Notice{"release-unknown", {release->text(), newest.text()}});
    else
        observe_(Notice{"release-known", {}, 0});
}

void SchemaReports::report_description(db::Schema const& schema) {
    auto const what = some_of(schema.changed_files, [](std::string const& file) { return file; });
    {
        std::lock_guard const lock(mutex_);
        if (what == changed_files_) return;
        changed_files_ = what;
    }
    observe_(Notice{what.empty() ? EventId("description-current") : "description-stale",
                    {what},
                    schema.changed_files.size()});
}

void SchemaReports::report_missing(db::Schema const& schema) {
    auto const& missing = schema.missing;
    {
        std::lock_guard const lock(mutex_);
        if (missing == missing_) return;
        missing_ = missing;
    }
    auto const what = some_of(missing, &db::MissingStorage::what);
    observe_(Notice{
        missing.empty() ? EventId("schema-complete") : "schema-lacks", {what}, missing.size()});
}

void SchemaReports::report_indexes(db::Connection& connection, Freshness const& fresh) {
    constexpr auto interval = std::chrono::seconds(30);
    if (options_.indexes.empty()) return;
    {
        std::lock_guard const lock(mutex_);
        bool const is_recent = looked_at_indexes_ && fresh.now() - *looked_at_indexes_ < interval;
        if (is_recent && !fresh.knows_changes()) return;
        looked_at_indexes_ = fresh.now();
    }
    auto indexes = db::read_index_file(options_.indexes);
    auto const missing =
        indexes ? db::missing_indexes(connection, *std::move(indexes)) : indexes.error();
    if (indexes && !missing) (void)connection.resume(); // the request does not need it
    std::string what;
    if (!missing)
        what = indexes ? missing.error().cause : missing.error().message;
    else
        for (db::Index const& index : *missing)
            what.append(what.empty() ? "" : ", ").append(name_of(index));
    {
        std::lock_guard const lock(mutex_);
        if (what == indexes_) return;
        indexes_ = what;
    }
    if (!missing)
        observe_(Notice{"indexes-unknown", {what}, 0});
    else if (missing->empty())
        observe_(Notice{"indexes-complete", {}, 0});
    else
        observe_(Notice{"indexes-missing", {what}, missing->size()});
}

void SchemaReports::look_again() {
    std::lock_guard const lock(mutex_);
    looked_at_indexes_.reset();
}

} // namespace fcgi
