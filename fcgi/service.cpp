#include "fcgi/service.hpp"

#include "db/mysql/tables.hpp"

#include <algorithm>

namespace fcgi {

namespace {

db::SessionOptions session_options(Options const& options) {
    db::SessionOptions session;
    session.statement_timeout = options.limits.statement;
    session.connect_timeout = options.limits.acquire;
    return session;
}

parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options) {
    auto schema = db::load_schema(options.schema, {options.private_attributes});
    if (!schema) return schema;
    for (auto const& [uid, type] : (*schema)->types)
        if (std::ranges::find(options.serve_types, uid) != options.serve_types.end())
            type->customised.clear();
    return schema;
}

} // namespace

Service::Service(Options options)
    : options_(std::move(options)),
      pool_(options_.database_url, session_options(options_), options_.connections) {
}

parser::Result<std::unique_ptr<Service>> Service::create(Options options) {
    std::unique_ptr<Service> service(new Service(std::move(options)));
    if (auto loaded = service->reload(); !loaded) return loaded.error();
    return service;
}

parser::Result<void> Service::reload() {
    auto schema = read_schema(options_);
    if (!schema) return schema.error();
    std::lock_guard const lock(mutex_);
    schema_ = *std::move(schema);
    columns_known_ = false;
    state_.reset();
    return {};
}

parser::Result<std::shared_ptr<Service::State const>> Service::state() {
    // Held while the database is asked: the others wait for the same answer.
    std::lock_guard const lock(mutex_);
    auto const now = std::chrono::steady_clock::now();
    if (state_ && now - state_->read_at < options_.permission_ttl) return state_;
    return read_state();
}

parser::Result<std::shared_ptr<Service::State const>> Service::read_state() {
    auto connection = pool_.snapshot(options_.limits.acquire);
    if (!connection) return connection.error();
    if (!columns_known_) {
        auto tables = db::read_table_columns(**connection);
        if (!tables) return tables.error();
        auto schema = read_schema(options_);
        if (!schema) return schema.error();
        db::read_columns(**schema, *tables);
        schema_ = *std::move(schema);
        columns_known_ = true;
    }
    auto site = db::read_site(**connection, *schema_);
    if (!site) return site.error();
    auto state = std::make_shared<State>();
    state->schema = schema_;
    state->site = *std::move(site);
    state->read_at = std::chrono::steady_clock::now();
    return state_ = std::move(state);
}

} // namespace fcgi
