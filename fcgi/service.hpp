#pragma once

#include "db/accounts.hpp"
#include "db/mysql/pool.hpp"
#include "db/read_plan.hpp"
#include "db/result_tree.hpp"
#include "db/schema/schema.hpp"
#include "fcgi/credentials.hpp"
#include "fcgi/http.hpp"
#include "fcgi/options.hpp"
#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>

namespace fcgi {

// What requests share: the content model, the database, and what is cached of it. Any thread.
class Service {
  public:
    // Reads the schema; the database may be down.
    static parser::Result<std::unique_ptr<Service>> create(Options options);

    // The content model with the order of the tables' columns, and what the CMS keeps of roles,
    // users, tokens and settings. Read from the database the first time, and again after
    // `permission-ttl`, which bounds the age of all of it.
    struct State {
        std::shared_ptr<db::Schema const> schema;
        db::Site site;
        std::chrono::steady_clock::time_point read_at;
        mutable Accounts accounts;
    };
    parser::Result<std::shared_ptr<State const>> state();

    // Reads the schema anew and forgets what is cached. On an error the old schema stays.
    parser::Result<void> reload();

    Options const& options() const { return options_; }
    db::Pool& pool() { return pool_; }

  private:
    explicit Service(Options options);
    parser::Result<std::shared_ptr<State const>> read_state();

    Options const options_;
    db::Pool pool_;
    std::mutex mutex_;
    std::shared_ptr<db::Schema const> schema_; // with its columns' order once columns_known_
    bool columns_known_ = false;
    std::shared_ptr<State const> state_;
};

// What the stages of one request gave, as far as it came.
struct Stages {
    parser::QueryTree tree;
    parser::Query query;
    std::optional<db::ReadPlan> plan;
    db::ResultTree result;
    std::string cause;     // of an error, for the log
    bool keep_sql = false; // the texts of the statements, for `explain`
};

// One request from its bytes to its answer.
void handle_request(Service& service, Request const& request, Response& response, Stages& stages);

} // namespace fcgi
