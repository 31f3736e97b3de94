#include "fcgi/handler/handle_request.hpp"

#include "db/plan/bind.hpp"
#include "fcgi/access/route.hpp"
#include "fcgi/handler/cached_responses.hpp"
#include "fcgi/handler/envelope.hpp"
#include "fcgi/handler/forms.hpp"
#include "fcgi/http/representation.hpp"
#include "parser/lexer.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"

#include <algorithm>
#include <mutex>
#include <set>

namespace fcgi {

using parser::Error;
using parser::Result;

namespace {

Attempt as_attempt(Result<Representation> representation) {
    if (!representation) return representation.error();
    return std::optional(*std::move(representation));
}

// Strapi 4.26 looks for a file if no route has a response, and refuses a path that can name none.
Error not_found(std::string_view path) {
    std::string decoded(path);
    decoded.resize(parser::decode_escapes(decoded).size());
    bool const undecodable = decoded.size() == path.size() && path.find('%') != path.npos;
    if (undecodable) return {parser::ErrorKind::malformed, "failed to decode"};
    bool const is_absolute = decoded.starts_with("//") && decoded.size() > 2; // as a file's path
    if (is_absolute || decoded.find('\0') != decoded.npos)
        return {parser::ErrorKind::malformed, "Malicious Path"};
    return {parser::ErrorKind::not_found, "Not Found"};
}

Representation no_content() {
    Representation representation;
    representation.status = 204;
    representation.media_type = {};
    return representation;
}

Attempt no_entry(RequestContext const& context) {
    switch (context.route.kind->missing) {
    case Missing::not_found:
        return not_found(context.path);
    case Missing::file_not_found:
        return Error{parser::ErrorKind::not_found, "file.notFound"};
    case Missing::no_content:
        break;
    }
    return no_content();
}

// Records how long the database took, as far as that says something of the next request: not if the
// connection was lost, for example.
void note_cost(Exchange const& exchange, Result<db::ResultTree> const& result) {
    using enum parser::ErrorKind;
    if (!result && result.error().kind != timed_out && result.error().kind != over_limit) return;
    std::chrono::nanoseconds time{0};
    for (db::SentStatement const& statement : exchange.context.sent)
        time += statement.duration;
    exchange.service.plan_costs().add(*exchange.context.plan, time, result.has_value());
}

// Begins to read. Marks the origin, if what is read may be cached.
Result<void> begin(db::Pool::Lease& connection, db::Extent extent, parser::Deadline const& deadline,
                   Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    auto const fresh = service.freshness(request);
    auto& origin = context.origin;
    if (fresh.knows_changes() && !context.route.kind->is_personal)
        origin.tables = service.dependencies(context.state->relations.get(), context.plan->tables);
    auto const begun = fresh.begin(connection, extent, origin.tables, deadline);
    if (!begun) return begun.error();
    origin.moment = *begun;
    return {};
}

// The connection is free again before the response is written.
Result<db::ResultTree> read_rows(db::Pool::Lease connection, parser::Deadline const& deadline,
                                 Exchange const& exchange) {
    RequestContext& context = exchange.context;
    Service& service = exchange.service;
    auto const forms = exchange.options().statement_forms;
    auto total = find_total(exchange);
    auto method =
        db::method_for(*context.plan, forms, total ? std::optional(total->value) : std::nullopt);
    for (;; method.extent = db::Extent::snapshot) {
        exchange.enter(RequestStage::acquire);
        if (auto begun = begin(connection, method.extent, deadline, exchange); !begun)
            return begun.error();
        exchange.enter(RequestStage::execute);
        auto result = db::execute(*context.plan, method, *connection,
                                  {exchange.options().limits, deadline, exchange.response.memory,
                                   context.is_for_explanation, exchange.options().statement_forms},
                                  context.sent);
        if (db::needs_snapshot(result, *connection)) continue;
        context.total_was_cached = total.has_value();
        // The rows may be newer than the total.
        if (!result || !total || service.freshness(exchange.request).holds_until_now(total->origin))
            return result;
        total.reset();
        method = db::method_for(*context.plan, forms);
    }
}

// Returns the name where it stays: a response may outlive the description that has it.
std::string_view lasting(std::string const& name) {
    static std::mutex mutex;
    static std::set<std::string> names;
    std::lock_guard const lock(mutex);
    return *names.insert(name).first;
}

bool sets_headers(Route const& route) {
    return route.effect && !route.effect->headers.empty();
}

// Adds the headers that middlewares of the CMS set.
void add_headers(Route const& route, Representation& representation) {
    if (!sets_headers(route)) return;
    for (auto const& [name, value] : route.effect->headers)
        representation.headers.emplace_back(lasting(name), value);
}

Attempt render(Exchange const& exchange) {
    auto const& [service, request, response, context] = exchange;
    Options const& options = exchange.options();
    exchange.enter(RequestStage::render);
    if (is_missing(*context.plan, context.result)) return no_entry(context);
    Representation representation;
    representation.cache_directives =
        directives_of(options.cache_control, context.route.target.type->uid);
    representation.body = std::move(response.body); // reuses its buffer
    parser::Limits const& limits = options.limits;
    auto const written =
        maker_of(context.route.kind->form)
            .append(representation.body.own(), *context.plan, context.result, context.state->site,
                    {limits.response, {request.deadline.at}, &response.memory});
    switch (written) {
    case WritingEnd::whole:
        if (representation.body.size() <= limits.response) return representation;
        [[fallthrough]];
    case WritingEnd::too_long:
        return parser::over_limit(limits, &parser::Limits::response);
    case WritingEnd::too_late:
        return parser::timed_out(limits, &parser::Limits::request,
                                 "while the response was being written");
    case WritingEnd::no_memory:
        break;
    }
    return parser::unavailable(parser::OutOfBudget().what());
}

// Reads accounts that are not known.
Result<Caller> authenticate(Exchange const& exchange) {
    auto const& [service, request, response, context] = exchange;
    SiteState& state = *context.state;
    Options const& options = exchange.options();
    return state.accounts.authenticate(request.authorization, options.secrets, state.site,
                                       {*state.schema,
                                        state.account_tables,
                                        &service.pool(),
                                        {options.limits.acquire, context.waiting_since},
                                        service.freshness(request)});
}

Result<std::shared_ptr<SiteState>> state_for(Exchange const& exchange) {
    auto const& [service, request, response, context] = exchange;
    return service.state(service.freshness(request), request.deadline, context.waiting_since);
}

// Each stage takes what the one before it gives.
Attempt plan_content(Exchange const& exchange) {
    auto const& [service, request, response, context] = exchange;
    exchange.enter(RequestStage::authorize);
    Options const& options = exchange.options();
    auto state = state_for(exchange);
    if (!state) return state.error();
    context.state = *std::move(state);
    db::Schema const& schema = *context.state->schema;

    Route& route = context.route = find_route(context.path, options.prefix, schema);
    if (!route.kind) return not_found(context.path);
    if (route.target.type) response.trace.type = route.target.type->uid;

    auto caller = authenticate(exchange);
    if (!caller) return caller.error();
    context.caller = *std::move(caller);
    if (!context.caller.permissions->grants(route.scope))
        return Error{parser::ErrorKind::not_permitted, "Forbidden",
                     context.caller.name + " lacks " + route.scope};
    if (route.kind->form == ResponseForm::none) return not_found(context.path);
    if (request.query.size() > options.limits.query_string)
        return parser::over_limit(options.limits, &parser::Limits::query_string);

    if (!route.target.type)
        return as_attempt(declared_representation(route, schema, request.query));
    if (route.kind->is_personal) {
        if (context.caller.user.empty())
            return Error{parser::ErrorKind::unauthenticated, "Unauthorized",
                         context.caller.name + " is not a user"};
        route.target.id = context.caller.user;
    }
    if (auto done = make_plan(exchange); !done) return done.error();
    response.trace.cost = service.plan_costs().of(*context.plan);
    return std::nullopt;
}

// Replaces what was planned before.
Attempt plan_anew(Exchange const& exchange) {
    RequestContext& context = exchange.context;
    RequestContext anew;
    anew.is_for_explanation = context.is_for_explanation;
    anew.path = context.path;
    anew.waiting_since = context.waiting_since;
    anew.is_second_attempt = context.is_second_attempt;
    anew.unlisted = std::move(context.unlisted);
    context = std::move(anew);
    return plan_content(exchange);
}

// Returns whether the error may be gone when the database, or another host of it, is asked again.
bool is_worth_another(Error const& error, Service& service) {
    using enum parser::ErrorKind;
    if (error.kind == schema_changed || error.kind == conflict) return true;
    return error.kind == connection_lost && !service.pool().hosts().is_alone();
}

Attempt again_if_worth_it(Attempt first, Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    if (first || context.is_second_attempt || !is_worth_another(first.error(), service))
        return first;
    if (first.error().kind == parser::ErrorKind::schema_changed && context.state)
        service.invalidate(*context.state, first.error().cause);
    context.is_second_attempt = true;
    context.waiting_since = parser::Deadline::Clock::now();
    return plan_anew(exchange);
}

// Returns whether a zone has rows of components of the project that it does not list and the plan
// does not read. From now on they are known.
bool has_unlisted(RequestContext& context) {
    bool is_news = false;
    for (std::string const& uid : context.result.unlisted)
        if (context.state->schema->find_part(uid))
            is_news = context.unlisted.insert(uid).second || is_news;
    return is_news;
}

Result<Representation> describe(DocumentForm form, Exchange const& exchange) {
    auto const state = state_for(exchange);
    if (!state) return state.error();
    return (*state)->documents->find(form, exchange.request.deadline);
}

// Clients that can log in or write learn why they cannot here, in the envelope that they expect.
Error refused_method(std::string_view method) {
    constexpr std::string_view writing[] = {"POST", "PUT", "PATCH", "DELETE"};
    constexpr auto expected = "this server answers reads only: expected GET, HEAD or OPTIONS";
    if (std::ranges::find(writing, method) == std::end(writing))
        return {parser::ErrorKind::not_implemented, expected};
    return {parser::ErrorKind::method_not_allowed,
            expected + (", received " + std::string(method))};
}

// Returns what the process answers of itself; nothing for all other requests.
Attempt service_representation(Exchange const& exchange) {
    auto const route = find_service_route(exchange.request.path);
    if (!route) return std::nullopt;
    switch (*route) {
    case ServiceRoute::health:
        return no_content();
    case ServiceRoute::ready:
        return as_attempt(exchange.service.readiness(exchange.request));
    case ServiceRoute::document:
    case ServiceRoute::flat_document:
        break;
    }
    if (!exchange.options().openapi_route) return std::nullopt;
    auto const form =
        *route == ServiceRoute::flat_document ? DocumentForm::flat : DocumentForm::deep;
    return as_attempt(describe(form, exchange));
}

// Returns the error that has the CMS respond.
Error left_to_cms(std::string why) {
    return {parser::ErrorKind::not_found, "Not Found", std::move(why)};
}

// Does what the CMS does with the parameters before its action sees them, as far as that is known.
Result<void> let_through(Exchange const& exchange) {
    RequestContext& context = exchange.context;
    Route const& route = context.route;
    auto& query = context.tree.root;
    if (route.effect) {
        if (auto const watched = parser::watched_in(*route.effect, query))
            return left_to_cms(watched->first + ": " + watched->second);
        parser::apply(*route.effect, query);
    }
    if (!context.state->schema->refuses_parameters) return {};
    for (auto const& [name, value] : query.members())
        if (route.let_through ? std::ranges::count(*route.let_through, name) == 0
                              : std::ranges::count(route.parameters, std::string_view(name)) == 0)
            return left_to_cms("the CMS may refuse the parameter " + name);
    return {};
}

// Reads the query of a request whose state, route and caller are known. What comes after this uses
// nothing else of the request's parameters.
Result<void> read_query(Exchange const& exchange) {
    auto const& [service, request, response, context] = exchange;
    exchange.enter(RequestStage::parse);
    db::Schema const& schema = *context.state->schema;
    parser::TreeOptions syntax = exchange.options().tree;
    syntax.balances_brackets = schema.cms.reading.balances_brackets;
    context.tree = parser::parse_query_string(request.query, syntax);
    if (auto done = let_through(exchange); !done) return done;
    exchange.enter(RequestStage::read);
    context.query = parser::read_query(context.tree, schema.cms.reading);
    exchange.enter(RequestStage::bind);
    if (schema.cms.rules.validates_names && maker_of(context.route.kind->form).takes_query)
        if (auto refusal = db::validate(context.tree.root, context.route.target, schema,
                                        *context.caller.permissions))
            return *std::move(refusal);
    return {};
}

bool is_of_files(db::Node const& node) {
    return node.type && node.type->uid == "plugin::upload.file";
}

void note_work(Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    Trace& trace = response.trace;
    if (context.plan) trace.plan_known = !trace.times.of(RequestStage::parse);
    trace.statements = context.sent.size();
    for (db::SentStatement const& statement : context.sent) {
        trace.rows += statement.rows;
        for (std::size_t i = 0; i < db::other_forms.size(); ++i)
            trace.other_forms[i] += statement.form == db::other_forms[i];
        trace.given_up += statement.given_up;
    }
}

} // namespace

Result<void> make_plan(Exchange const& exchange) {
    auto const& [service, request, response, context] = exchange;
    ContentKey const key = key_of(exchange);
    SiteState& state = *context.state;
    if (!context.is_for_explanation && context.unlisted.empty())
        context.plan = state.plans.find(key);
    if (context.plan) return {};
    if (auto done = read_query(exchange); !done) return done;
    auto bound =
        maker_of(context.route.kind->form).bind(context, exchange.options(), key.document_format);
    if (!bound) return bound.error();
    if (state.schema->has_private_files && std::ranges::any_of(bound->nodes, is_of_files))
        return left_to_cms("the CMS signs the URLs of files");
    context.plan = std::make_shared<db::SelectedPlan const>(db::select(*std::move(bound)));
    if (!context.route.kind->is_personal) state.plans.store(key, context.plan);
    return {};
}

Attempt prepare(Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    response.trace.times = StageTimes(request.arrived);
    context.path = request.path;
    context.waiting_since = request.arrived;
    if (request.method == "OPTIONS")
        return options_representation(request, exchange.options().cors);
    if (request.method != "GET" && request.method != "HEAD") return refused_method(request.method);
    if (auto done = service_representation(exchange); !done || *done) return done;
    exchange.enter(RequestStage::authorize);
    if (auto const path = explained_path(request.path); path && exchange.options().explain_route) {
        context.path = *path;
        context.is_for_explanation = true;
    } else if (auto cached = find_cached(service, request, response.trace, true)) {
        return cached;
    }
    return again_if_worth_it(plan_content(exchange), exchange);
}

SuspendedRequest suspend(Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    exchange.enter(RequestStage::wait);
    if (!context.is_for_explanation) { // the plan is all that is needed
        context.tree = {};
        context.query = {};
    }
    return {std::move(context), std::move(response.trace)};
}

Attempt resume(Exchange const& exchange, SuspendedRequest suspended) {
    auto& [service, request, response, context] = exchange;
    context = std::move(suspended.context);
    response.trace = std::move(suspended.trace);
    exchange.enter(RequestStage::authorize);
    if (!context.is_for_explanation)
        if (auto cached = find_cached(service, request, response.trace, true)) return cached;
    if (is_as_prepared(exchange)) return std::nullopt;
    return again_if_worth_it(plan_anew(exchange), exchange);
}

Result<db::Pool::Lease> acquire(Exchange const& exchange) {
    exchange.enter(RequestStage::acquire);
    return exchange.service.pool().acquire(
        {exchange.options().limits.acquire, exchange.context.waiting_since});
}

bool may_be_coalesced(RequestContext const& context) {
    return !context.is_for_explanation && !context.route.kind->is_personal;
}

bool is_as_prepared(Exchange const& exchange) {
    RequestContext const& context = exchange.context;
    auto const fresh = exchange.service.freshness(exchange.request);
    return exchange.service.known_state(fresh) == context.state &&
           (!context.caller.account || fresh.holds(*context.caller.account));
}

Attempt read(Exchange const& exchange, db::Pool::Lease connection,
             parser::Deadline const& deadline) {
    auto& [service, request, response, context] = exchange;
    auto result = read_rows(std::move(connection), deadline, exchange);
    note_cost(exchange, result);
    if (!result) return again_if_worth_it(result.error(), exchange);
    context.result = *std::move(result);
    if (has_unlisted(context)) return plan_anew(exchange);
    auto representation = render(exchange);
    if (representation) add_headers(context.route, **representation);
    if (representation && !context.is_for_explanation)
        cache_what_was_read(exchange, **representation);
    return representation;
}

void respond(Exchange const& exchange, Attempt attempt) {
    auto& [service, request, response, context] = exchange;
    note_work(exchange);
    bool const is_explained = context.path.size() != request.path.size();
    if (!attempt) {
        auto const& error = context.error.emplace(attempt.error());
        note_failure(error, response.trace);
        // Which headers it has besides is not known.
        bool const is_known = !sets_headers(context.route) || parser::is_of_the_moment(error.kind);
        auto const kind = is_known ? error.kind : parser::ErrorKind::not_found;
        if (!is_explained && hand_over(kind, request, response)) return;
        attempt = error_representation(error);
    }
    Representation representation = **std::move(attempt);
    if (is_explained)
        representation = explain(representation, exchange);
    else if (representation.is_partial &&
             hand_over(parser::ErrorKind::not_found, request, response))
        return;
    write_response(std::move(representation), request, service.response_rules(), response);
}

void handle_request(Service& service, Request const& request, Response& response,
                    RequestContext& context) {
    Exchange const exchange{service, request, response, context};
    auto attempt = prepare(exchange);
    while (attempt && !*attempt) {
        auto connection = acquire(exchange);
        attempt = connection ? read(exchange, *std::move(connection), request.deadline)
                             : Attempt(connection.error());
    }
    respond(exchange, std::move(attempt));
}

bool respond_at_once(Service& service, Request const& request, Response& response) {
    if (find_service_route(request.path) != ServiceRoute::health)
        return respond_from_cache(service, request, response);
    RequestContext context;
    handle_request(service, request, response, context);
    return true;
}

} // namespace fcgi
