#pragma once

#include "db/mysql/pool.hpp"
#include "db/read/execute.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/handler/service.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/http/representation.hpp"
#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// Takes one request from its bytes to its response, in steps that the caller takes one after the
// other: prepare, acquire, read, respond. Between them a server waits for its turn at the database
// and finds others that ask the same (fcgi/server/worker.cpp); handle_request() does neither.

namespace fcgi {

// What is known of one request while it is handled, as far as it has come. Its times are in
// Response::trace.
struct RequestContext {
    // Every stage is passed, and the texts of the statements are kept.
    bool is_for_explanation = false;
    // The path that is answered: the request's own, or that below /_explain.
    std::string_view path = {};
    std::chrono::steady_clock::time_point waiting_since = {}; // for a connection
    bool is_second_attempt = false;

    parser::QueryTree tree = {}; // empty, as is the query, if the plan was known
    parser::Query query = {};
    std::shared_ptr<SiteState> state = {}; // route and plan point into it
    Route route = {};
    Caller caller = {};
    std::set<std::string> unlisted = {}; // components that rows turned out to have: db::ApiOptions
    std::shared_ptr<db::SelectedPlan const> plan = {};
    std::vector<db::SentStatement> sent = {};
    db::ResultTree result = {};
    ReadOrigin origin = {}; // of the rows
    bool total_was_cached = false;
    std::optional<parser::Error> error = {};
};

// A request, and what is made from it.
struct Exchange {
    Service& service;
    Request const& request;
    Response& response;
    RequestContext& context;

    Options const& options() const { return service.options(); }
    void enter(RequestStage stage) const { response.trace.times.enter(stage); }
};

// The response; nothing if the rows of `context.plan` have to be read for it first; or an error.
using Attempt = parser::Result<std::optional<Representation>>;

// Goes through the stages up to the plan. Asks the database only for a state or an account that is
// not cached.
Attempt prepare(Exchange const& exchange);

// Makes the plan for path, state, route and caller of the context, unless an earlier request had
// it. It is a step of prepare(), for commands that have a caller of their own.
parser::Result<void> make_plan(Exchange const& exchange);

// What is held of a prepared request that waits for a slot.
struct SuspendedRequest {
    RequestContext context;
    Trace trace;
};
SuspendedRequest suspend(Exchange const& exchange);
// Continues where the request was, unless the response is in the cache by now. Prepares the request
// again if what it was prepared with has changed.
Attempt resume(Exchange const& exchange, SuspendedRequest suspended);

// Acquires a connection from the pool, with which the rows are read.
parser::Result<db::Pool::Lease> acquire(Exchange const& exchange);

// Returns whether all equal requests may have its response. Valid until read().
bool may_be_coalesced(RequestContext const& context);
// Returns whether a request that arrives now would be prepared with the same state and account.
bool is_as_prepared(Exchange const& exchange);

// Reads the rows of the plan and writes them. Returns nothing, and makes another plan, if that is
// worth a try (6 and 7 below).
//
// A statement of a request is sent again for these reasons alone, and at most so often. Each stands
// where the most of what it leaves valid is at hand: the snapshot and the rows so far (5), the
// snapshot (4), the plan and the slot in the pool (1 to 3), or nothing.
//
// 1. The connection is lost when a snapshot begins, or its proxy sends statements elsewhere: the
//    begin, on another connection or host if it is lost, until acquire-timeout (Pool::Lease in
//    db/mysql/pool.cpp; Freshness::begin).
// 2. A single statement, which needs no snapshot, finds that the connection was lost: it, in a
//    snapshot; once (read_rows).
// 3. A total from the cache is no longer true once the rows are read: all, with the total; once
//    (read_rows).
// 4. Another form of a statement than the usual fails or takes too long: all, in the usual forms;
//    once in each db::execute().
// 5. A node has more rows than its kind gave lately: its statement, now read as a stream; once each
//    (Execution::buffer in db/read/execute.cpp).
// 6. Tables are not as the schema says, the database reports a conflict, or the connection was lost
//    and there is another host: all, with a new plan; once (again_if_worth_it).
// 7. Rows have components that their zone does not list: all, with a plan that reads these too, as
//    often as there are new ones (has_unlisted).
Attempt read(Exchange const& exchange, db::Pool::Lease connection,
             parser::Deadline const& deadline);

// Makes the response from the representation or the error in `attempt`, which is not nothing.
void respond(Exchange const& exchange, Attempt attempt);

// Explains the response to what was requested below /_explain, to the same caller: `context` is
// of a request with is_for_explanation. This is in explain.cpp, with the JSON that it makes.
Representation explain(Representation const& representation, Exchange const& exchange);

// Responds if that takes no more than a moment and asks nobody; returns false otherwise.
bool respond_at_once(Service& service, Request const& request, Response& response);

// Takes all steps, for callers that have no other requests to think of.
void handle_request(Service& service, Request const& request, Response& response,
                    RequestContext& context);

} // namespace fcgi
