#include "fcgi/answer/service.hpp"

#include "db/mysql/tables.hpp"

#include <algorithm>
#include <utility>

namespace fcgi {

namespace {

constexpr auto watch_interval = std::chrono::seconds(5);

db::SessionOptions session_options(Options const& options) {
    db::SessionOptions session;
    session.statement_timeout = options.limits.statement;
    session.connect_timeout = options.limits.acquire;
    return session;
}

} // namespace

parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        std::optional<db::Version> version) {
    if (options.strapi) version = options.strapi;
    if (!version) version = db::project_version(options.schema);
    auto schema = db::load_schema(
        options.schema, {options.private_attributes, version.value_or(db::Version::strapi4)});
    if (!schema) return schema;
    for (auto const& [uid, type] : (*schema)->types)
        if (std::ranges::find(options.serve_types, uid) != options.serve_types.end())
            type->not_served.clear();
    return schema;
}

parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        db::Connection& connection) {
    auto const version = db::read_version(connection);
    if (!version) return version.error();
    auto schema = read_schema(options, *version);
    if (!schema) return schema;
    if (auto known = db::read_cms(connection, **schema); !known) return known.error();
    if (auto known = db::read_custom_fields(connection, **schema); !known) return known.error();
    return schema;
}

Service::Service(Options options, Observer observe)
    : options_(std::move(options)),
      observe_(std::move(observe)),
      pool_(options_.database_url, session_options(options_), options_.connections) {
}

parser::Result<std::unique_ptr<Service>> Service::create(Options options, Observer observe) {
    std::unique_ptr<Service> service(new Service(std::move(options), std::move(observe)));
    if (auto done = service->read(event::SchemaRead::Cause::started); !done) return done.error();
    return service;
}

parser::Result<void> Service::read(event::SchemaRead::Cause cause) {
    auto const stamp = db::stamp_of(options_.schema);
    auto schema = read_schema(options_);
    std::vector<db::LeftOut> left_out;
    {
        std::lock_guard const lock(mutex_);
        stamp_ = stamp;
        if (!schema) return schema.error();
        left_out = (*schema)->left_out;
        loaded_ = *std::move(schema);
        fitted_.reset();
        state_.reset();
        reading_.reset(); // what it reads goes to those who wait for it, and to nobody else
    }
    observe_(event::SchemaRead{cause});
    for (auto const& [what, why] : left_out)
        observe_(event::LeftOut{what, why});
    return {};
}

void Service::reload(event::SchemaRead::Cause cause) {
    if (auto done = read(cause); !done) observe_(event::SchemaKept{done.error().message});
}

void Service::forget(State const& stale, std::string_view why) {
    observe_(event::SchemaOutdated{why});
    std::lock_guard const lock(mutex_);
    if (state_.get() != &stale) return;
    fitted_.reset();
    state_.reset();
    reading_.reset();
}

// One thread reads, and the others wait for what it gets, good or bad.
Service::StateResult Service::state(parser::Deadline const& deadline,
                                    Clock::time_point waiting_since) {
    db::Pool::Wait const wait(options_.limits.acquire, waiting_since);
    auto const now = Clock::now();
    auto const is_fresh = [&](Clock::time_point since) {
        return now - since < options_.permission_ttl;
    };
    {
        std::lock_guard const lock(mutex_);
        if (state_ && is_fresh(state_->read_at)) return state_;
    }
    look_at_files(now);
    std::promise<StateResult> promise;
    auto const mine = std::make_shared<Reading const>(Reading{now, promise.get_future().share()});
    {
        std::unique_lock lock(mutex_);
        if (state_ && is_fresh(state_->read_at)) return state_; // meanwhile
        if (reading_ && is_fresh(reading_->begun)) {
            auto const others = reading_->result;
            lock.unlock();
            auto const in_time = std::min(deadline.at, wait.end());
            if (others.wait_until(in_time) == std::future_status::ready) return others.get();
            return parser::unavailable(&parser::Limits::acquire, wait.timeout,
                                       "the permissions were not read");
        }
        reading_ = mine;
    }
    auto const finish = [&](std::shared_ptr<State> state) {
        std::lock_guard const lock(mutex_);
        if (reading_ != mine) return; // forgotten meanwhile
        reading_.reset();
        if (state) state_ = std::move(state);
    };
    try {
        auto const result = read_state(now, wait);
        promise.set_value(result);
        finish(result ? *result : nullptr);
        return result;
    } catch (...) {
        finish(nullptr);
        throw;
    }
}

Service::StateResult Service::read_state(Clock::time_point now, db::Pool::Wait const& wait) {
    auto connection = pool_.snapshot(wait);
    if (!connection) return connection.error();
    auto schema = fitted_schema(**connection, now);
    if (!schema) return schema.error();
    tell_lacks(**schema);
    auto site = db::read_site(**connection, **schema);
    if (!site) return site.error();
    std::lock_guard const lock(mutex_);
    if (!documents_ || documents_->schema() != *schema)
        documents_ = std::make_shared<Documents>(*schema, options_);
    return std::shared_ptr<State>(
        new State{*std::move(schema), documents_, *std::move(site), now, {}, {}});
}

// The fitted schema, if nothing of it is missing, a CMS is there, and so are the tables still; else
// null. Their names tell: a CMS that changes columns writes its files, and a request to a column
// that went finds out.
Service::SchemaResult Service::settled_schema(db::Connection& connection, Clock::time_point now) {
    {
        std::lock_guard const lock(mutex_);
        if (!fitted_ || !fitted_->has_cms || !fitted_->lacks.empty()) return nullptr;
    }
    auto const names = db::read_table_names(connection);
    if (!names) return names.error();
    std::lock_guard const lock(mutex_);
    bool const are_there = std::ranges::all_of(
        tables_, [&](auto const& table) { return names->contains(table.first); });
    if (!fitted_ || !are_there) return nullptr;
    fit_again_ = now + watch_interval;
    return fitted_;
}

Service::SchemaResult Service::fitted_schema(db::Connection& connection, Clock::time_point now) {
    {
        std::lock_guard const lock(mutex_);
        if (fitted_ && now < fit_again_) return fitted_;
    }
    if (auto settled = settled_schema(connection, now); !settled || *settled) return settled;
    std::shared_ptr<db::Schema> schema;
    {
        std::lock_guard const lock(mutex_);
        schema = std::exchange(loaded_, nullptr);
    }
    auto tables = db::read_table_columns(connection);
    if (!tables) return tables.error();
    if (auto done = db::check_migration(connection, *tables); !done) return done.error();
    auto const cms = db::find_cms(connection);
    if (!cms) return cms.error();
    bool const has_cms = *cms == db::Cms::present;
    {
        std::lock_guard const lock(mutex_);
        if (fitted_ && *tables == tables_ && fitted_->has_cms == has_cms) {
            fit_again_ = now + watch_interval;
            return fitted_;
        }
    }
    auto const version = db::database_version(*tables);
    bool const is_other = schema && !options_.strapi && version && schema->version != *version;
    if (!schema || is_other) {
        auto loaded = read_schema(options_, version);
        if (!loaded) return loaded.error();
        schema = *std::move(loaded);
    }
    db::set_cms(*schema, has_cms);
    if (auto known = db::read_custom_fields(connection, *schema); !known) return known.error();
    db::read_columns(*schema, *tables);
    std::lock_guard const lock(mutex_);
    if (loaded_) return schema; // there was a reload meanwhile
    fitted_ = schema;
    tables_ = *std::move(tables);
    fit_again_ = now + watch_interval;
    return fitted_;
}

void Service::tell_lacks(db::Schema const& schema) {
    constexpr std::size_t few = 5;
    auto const& lacks = schema.lacks;
    {
        std::lock_guard const lock(mutex_);
        if (lacks == told_lacks_) return;
        told_lacks_ = lacks;
    }
    std::string what;
    for (std::size_t i = 0; i < std::min(lacks.size(), few); ++i)
        what.append(what.empty() ? "" : "; ").append(lacks[i].what);
    if (lacks.size() > few) what += "; …";
    observe_(event::SchemaLacks{lacks.size(), what});
}

// The CMS writes them when an attribute changes; one that became private is so from then on.
void Service::look_at_files(Clock::time_point now) {
    {
        std::lock_guard const lock(mutex_);
        if (now - looked_at_ < watch_interval) return;
        looked_at_ = now;
    }
    auto const stamp = db::stamp_of(options_.schema);
    {
        std::lock_guard const lock(mutex_);
        if (stamp == stamp_) return;
    }
    reload(event::SchemaRead::Cause::files_changed);
}

} // namespace fcgi
