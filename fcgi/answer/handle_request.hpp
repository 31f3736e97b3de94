#pragma once

#include "db/execute.hpp"
#include "db/mysql/pool.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/http/answer.hpp"
#include "fcgi/http/http.hpp"

#include "parser/query.hpp"
#include "parser/query_tree.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

// One request from its bytes to its response, in steps that the caller takes one after the other:
// prepare, acquire, read, respond. Between them a server waits for its turn at the database and
// finds others that ask the same (fcgi/serving/worker.cpp); handle_request() does neither.

namespace fcgi {

enum class Wanted {
    answer,
    explanation, // every stage is gone through, and the texts of the statements are kept
};

// What is known of one request while it is handled, as far as it came. How long it took is in
// Response::trace.
struct RequestContext {
    Wanted wanted = Wanted::answer;
    // The path that is answered: the request's own, or that below /_explain.
    std::string_view path = {};
    std::chrono::steady_clock::time_point waiting_since = {}; // for a connection
    bool is_second_attempt = false;

    parser::QueryTree tree = {}; // of a plan that was known already: empty, as is the query
    parser::Query query = {};
    std::shared_ptr<Service::State> state = {}; // which route and plan point into
    Route route = {};
    Caller caller = {};
    std::shared_ptr<db::SelectedPlan const> plan = {};
    std::vector<db::SentStatement> sent = {};
    db::ResultTree result = {};
    Origin origin = {}; // of the rows
    std::optional<parser::Error> error = {};
};

// A request, and what is made of it.
struct Exchange {
    Service& service;
    Request const& request;
    Response& response;
    RequestContext& context;

    Options const& options() const { return service.options(); }
    void enter(Stage stage) const { response.trace.times.enter(stage); }
};

// The answer; nothing where the rows of `context.plan` have to be read for it first; or why there
// is none.
using Attempt = parser::Result<std::optional<Answer>>;

// Goes through the stages up to the plan. Asks the database only for a state or an account that is
// not cached.
Attempt prepare(Exchange const& exchange);

// What is kept of a request that waits for a place once it is prepared.
struct SuspendedRequest {
    RequestContext context;
    Trace trace;
};
SuspendedRequest suspend(Exchange const& exchange);
// Goes on where it was, unless the answer is in the cache by now. It is prepared again where what
// it was prepared with has changed.
Attempt resume(Exchange const& exchange, SuspendedRequest suspended);

// A place in the pool, with which the rows are read.
parser::Result<db::Pool::Lease> acquire(Exchange const& exchange);

// Whether its answer is that of all who ask the same, until read().
bool may_be_shared(RequestContext const& context);
// Whether what it was prepared with is still what a request that comes now would be prepared with.
bool is_as_prepared(Exchange const& exchange);

// Reads the rows of the plan and writes them. Nothing, and another plan, where the database turned
// out to be another than the plan was made for.
Attempt read(Exchange const& exchange, db::Pool::Lease connection,
             parser::Deadline const& deadline);

// Makes the response of the answer, or of the error. `attempt` is not nothing.
void respond(Exchange const& exchange, Attempt attempt);

// Responds where that takes no more than a moment and asks nobody: false for all else.
bool respond_at_once(Service& service, Request const& request, Response& response);

// All of it, for whoever has no others to think of.
void handle_request(Service& service, Request const& request, Response& response,
                    RequestContext& context);

} // namespace fcgi
