#pragma once

#include "db/binlog/change_log.hpp"
#include "db/binlog/row_tag.hpp"
#include "db/binlog/row_uses.hpp"
#include "db/cms/accounts.hpp"
#include "db/mysql/connection.hpp"
#include "db/mysql/pool.hpp"
#include "db/mysql/prober.hpp"
#include "db/mysql/table_relations.hpp"
#include "db/read/select.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/access/credentials.hpp"
#include "fcgi/cache/freshness.hpp"
#include "fcgi/cache/response_cache.hpp"
#include "fcgi/handler/plans.hpp"
#include "fcgi/handler/read_schema.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/http/representation.hpp"
#include "fcgi/openapi/openapi.hpp"
#include "fcgi/options/options.hpp"
#include "fcgi/process/events.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace fcgi {

// Reports what an operator should know about the schema and its tables, each time that it becomes
// another. Options and observer outlive it. Any thread.
class SchemaReports {
  public:
    SchemaReports(Options const& options, Observer const& observe)
        : options_(options), observe_(observe) {}

    // The project's release is newer than those that are known.
    void report_release(db::Schema const& schema);
    // Files have changed since the CMS was described.
    void report_description(db::Schema const& schema);
    // The database lacks tables or columns.
    void report_missing(db::Schema const& schema);
    // Some of the indexes that should exist are gone. A CMS may drop them when it starts.
    void report_indexes(db::Connection& connection, Freshness const& fresh);
    // The next report_indexes() looks, however recently that was done.
    void look_again();

  private:
    Options const& options_;
    Observer const& observe_;
    std::mutex mutex_; // guards all members below, which are as the last event reported them
    bool release_is_unknown_ = false;
    std::string changed_files_;
    std::vector<db::MissingStorage> missing_;
    std::string indexes_;
    std::optional<std::chrono::steady_clock::time_point> looked_at_indexes_;
};

// The schema with the order of the tables' columns, and the roles and settings that the CMS
// stores. If they are read again and have not changed, the same state stays, with all that was
// found and made for requests so far.
struct SiteState {
    std::shared_ptr<db::Schema const> const schema;
    std::shared_ptr<DocumentCache> const documents; // of that schema
    db::Site const site;
    // Null if changes are not reported.
    std::shared_ptr<db::TableRelations const> const relations;
    AccountTables const account_tables;
    std::uint64_t const number; // unique among all states
    db::RowKeys const row_keys; // empty without tag_names()
    Accounts accounts = {};
    PlanCache plans = {};
};

// Holds what requests share: the schema, the database, and what is cached of it. Any thread.
class Service {
  public:
    // Reads the schema; the database may be down.
    static parser::Result<std::unique_ptr<Service>>
    create(Options options, Observer observe = [](Event const&) {});

    // Returns a state that is fresh enough for a request (fcgi/cache/freshness.hpp). While another
    // caller reads it, waits until the deadline, and no longer than for a connection: then it is
    // `unavailable`.
    parser::Result<std::shared_ptr<SiteState>>
    state(Freshness const& fresh, parser::Deadline const& deadline = {},
          std::chrono::steady_clock::time_point waiting_since = std::chrono::steady_clock::now());
    // Returns the same, if it need not be read. Null: it has to be.
    std::shared_ptr<SiteState> known_state(Freshness const& fresh);

    Freshness freshness(Request const& request) {
        return {change_log_.get(), request.epoch, options_.permission_ttl};
    }

    // From now on changes are followed: of the project's files, of the database as far as the
    // options want that, and of its hosts. Call once, after the last fork.
    void follow_changes();

    // Returns what /_ready answers: 204 if a request for content could be answered now, with
    // headers about hosts and cache; else an error that says to anyone what kind of thing is wrong.
    parser::Result<Representation> readiness(Request const& request);

    // Reads the schema and the hosts of the database again, and drops what is cached. If they
    // cannot be read, the old ones stay.
    void reload();
    // The tables turned out to be others than `stale` says: the next state has a new schema.
    void invalidate(SiteState const& stale, std::string_view why);

    Options const& options() const { return options_; }
    db::Pool& pool() { return pool_; }
    PlanCosts& plan_costs() { return plan_costs_; }
    // Null: there is no cache.
    db::ChangeLog* change_log() { return change_log_.get(); }
    // Names what responses depend on, for caches in front. Null: they are not told.
    db::TagNames const* tag_names() const { return tag_names_ ? &*tag_names_ : nullptr; }
    ResponseCache& responses() { return responses_; }
    TotalCache& totals() { return totals_; }
    ResponseRules response_rules() const {
        return {options_.cors, options_.server_timing, change_log_ != nullptr,
                options_.surrogate_key};
    }
    // Returns all tables that data read from these depends on.
    Tables dependencies(db::TableRelations const* relations, db::TableNames const& tables);

  private:
    using Clock = std::chrono::steady_clock;
    using StateResult = parser::Result<std::shared_ptr<SiteState>>;
    struct StateReading; // a state that a thread is reading

    Service(Options options, Observer observe);
    // These are in following.cpp, as are follow_changes(), reload() and readiness().
    std::unique_ptr<db::ChangeLog> make_change_log();
    void note_cache(Event const& event);
    void follow_hosts();
    void look_at_files(Clock::time_point at);
    void keep_looking_at_files(std::stop_token const& stopped);
    std::string cache_status();

    // Reads the schema and reports that it is `done`.
    parser::Result<void> read(EventId done);
    void read_again(EventId done); // or keeps the schema
    using SchemaResult = parser::Result<std::shared_ptr<db::Schema const>>;
    // The caller holds the mutex.
    bool is_known(Freshness const& fresh) const;
    bool is_fitted(Freshness const& fresh) const;

    parser::Result<Cached<std::shared_ptr<SiteState>>> read_state(Freshness const& fresh,
                                                                  db::Pool::Wait const& wait);
    std::shared_ptr<SiteState> state_of(std::shared_ptr<db::Schema const> schema, db::Site site);
    Tables tables_of_site();
    AccountTables tables_of_accounts(db::Schema const& schema, db::TableRelations const* relations);
    parser::Result<void> read_relations(db::Connection& connection, Freshness const& fresh,
                                        ReadMoment const& moment);
    SchemaResult fitted_schema(db::Connection& connection, Freshness const& fresh,
                               ReadMoment const& moment);
    SchemaResult settled_schema(db::Connection& connection, Freshness const& fresh);
    SchemaResult newly_fitted_schema(db::Connection& connection);

    Options const options_;
    Observer const observe_;
    db::Pool pool_;
    PlanCosts plan_costs_;
    std::mutex noting_; // guards the next member
    // In words for anybody, without names, which the log has. Empty: there is a cache.
    std::string why_no_cache_ = "the database's binary log is not followed yet";
    std::unique_ptr<db::ChangeLog> const change_log_;
    std::optional<db::TagNames> const tag_names_;
    Tables const cms_tables_; // the schema is fitted by these and by all that DDL changes
    ResponseCache responses_;
    TotalCache totals_;
    db::Prober prober_;
    SchemaReports reports_;
    std::mutex mutex_;                   // guards all members below
    std::shared_ptr<db::Schema> loaded_; // from the files; null once it is fitted
    // The schema that fits `tables_`, with the time of the last check that these are still the
    // tables. Like the next three members, it is null or empty until the database was read.
    Cached<std::shared_ptr<db::Schema const>> fitted_;
    db::TableColumns tables_;
    Clock::time_point columns_read_{};
    Cached<std::shared_ptr<db::TableRelations const>> relations_;
    Cached<std::shared_ptr<SiteState>> state_;
    std::uint64_t states_ = 0;                 // number of states so far
    std::shared_ptr<DocumentCache> documents_; // of the schema that was read last
    std::shared_ptr<StateReading const> reading_;
    ProjectFiles files_;            // of `loaded_`
    std::mutex looking_;            // held while a thread looks at the files
    std::jthread looking_at_files_; // the last member: it uses the others
};

} // namespace fcgi
