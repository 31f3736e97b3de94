#pragma once

#include "db/cms/accounts.hpp"
#include "db/mysql/pool.hpp"
#include "db/schema/schema.hpp"
#include "db/select/select.hpp"
#include "fcgi/answer/plan_cache.hpp"
#include "fcgi/answer/plan_costs.hpp"
#include "fcgi/events/events.hpp"
#include "fcgi/http/credentials.hpp"
#include "fcgi/openapi/documents.hpp"
#include "fcgi/options/options.hpp"
#include "parser/base/deadline.hpp"
#include "parser/base/error.hpp"

#include <chrono>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace fcgi {

// The content model of the files, with the types that `serve-types` adds to those served. `version`
// is what the database says; absent: as the files do.
parser::Result<std::shared_ptr<db::Schema>>
read_schema(Options const& options, std::optional<db::Version> version = std::nullopt);

// As it is for the database of `connection`: in the layout of its version, with the types of custom
// fields and what follows from there being a CMS or none. Not fitted to its columns.
parser::Result<std::shared_ptr<db::Schema>> read_schema(Options const& options,
                                                        db::Connection& connection);

// What requests share: the content model, the database, and what is cached of it. Any thread.
class Service {
  public:
    // Reads the schema; the database may be down.
    static parser::Result<std::unique_ptr<Service>>
    create(Options options, Observer observe = [](Event const&) {});

    // The content model with the order of the tables' columns, and what the CMS keeps of roles,
    // users, tokens and settings. Read from the database the first time, and again after
    // `permission-ttl`, which bounds the age of all of it.
    struct State {
        std::shared_ptr<db::Schema const> const schema;
        // Of that schema, kept when the state is read again.
        std::shared_ptr<Documents> const documents;
        db::Site const site;
        std::chrono::steady_clock::time_point const read_at;
        // What was found for requests so far.
        Accounts accounts = {};
        PlanCache plans = {};
    };
    // Who waits while another request reads it waits until the deadline, and no longer than for a
    // connection: then it is `unavailable`.
    parser::Result<std::shared_ptr<State>>
    state(parser::Deadline const& deadline = {},
          std::chrono::steady_clock::time_point waiting_since = std::chrono::steady_clock::now());

    // Reads the schema anew and forgets what is cached. On an error the old schema stays.
    void reload(event::SchemaRead::Cause cause = event::SchemaRead::Cause::asked);
    // For who found the tables to be others than `stale` says: the next state has a new schema.
    void forget(State const& stale, std::string_view why);

    Options const& options() const { return options_; }
    db::Pool& pool() { return pool_; }
    PlanCosts& plan_costs() { return plan_costs_; }

  private:
    using Clock = std::chrono::steady_clock;
    using StateResult = parser::Result<std::shared_ptr<State>>;
    // A state that a thread is reading.
    struct Reading {
        Clock::time_point begun;
        std::shared_future<StateResult> result;
    };

    Service(Options options, Observer observe);
    parser::Result<void> read(event::SchemaRead::Cause cause);
    using SchemaResult = parser::Result<std::shared_ptr<db::Schema const>>;
    StateResult read_state(Clock::time_point now, db::Pool::Wait const& wait);
    SchemaResult fitted_schema(db::Connection& connection, Clock::time_point now);
    SchemaResult settled_schema(db::Connection& connection, Clock::time_point now);
    void tell_lacks(db::Schema const& schema);
    void look_at_files(Clock::time_point now);

    Options const options_;
    Observer const observe_;
    db::Pool pool_;
    PlanCosts plan_costs_;
    std::mutex mutex_;                         // of all below
    std::shared_ptr<db::Schema> loaded_;       // from the files; null once it is fitted
    std::shared_ptr<db::Schema const> fitted_; // to `tables_`; null until the database was asked
    db::TableColumns tables_;
    // When it is looked whether the tables are still those.
    Clock::time_point fit_again_{};
    std::shared_ptr<State> state_;
    std::shared_ptr<Documents> documents_; // of the schema that was read last
    std::shared_ptr<Reading const> reading_;
    std::vector<db::Lack> told_lacks_; // by the last event
    db::ProjectStamp stamp_;           // of the files of `loaded_`
    Clock::time_point looked_at_{};
};

} // namespace fcgi
