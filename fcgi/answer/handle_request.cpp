#include "db/execute.hpp"
#include "fcgi/answer/declared_types.hpp"
#include "fcgi/answer/explain.hpp"
#include "fcgi/answer/plugin_answers.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/http/caching.hpp"
#include "fcgi/http/cors.hpp"
#include "fcgi/http/route.hpp"
#include "fcgi/json/envelope.hpp"
#include "parser/percent_decode.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace fcgi {

using parser::Error;
using parser::Result;

namespace {

// Strapi 4.26 looks for a file where no route has an answer, and refuses a path that names none.
Error not_found(std::string_view path) {
    std::string decoded(path);
    decoded.resize(parser::decode_escapes(decoded).size());
    bool const undecodable = decoded.size() == path.size() && path.find('%') != path.npos;
    if (undecodable) return {parser::ErrorKind::malformed, "failed to decode"};
    if (decoded.find('\0') != decoded.npos) return {parser::ErrorKind::malformed, "Malicious Path"};
    return {parser::ErrorKind::not_found, "Not Found"};
}

Result<void> no_entry(Route const& route, Request const& request, Response& response) {
    if (route.kind == Route::Kind::content) return not_found(request.path);
    if (route.target.type->uid == "plugin::upload.file")
        return Error{parser::ErrorKind::not_found, "file.notFound"};
    response.status = 204;
    return {};
}

Result<db::ReadPlan> bind(Route const& route, Caller const& caller, Service::State const& state,
                          Options const& options, Stages& stages) {
    db::ApiOptions api = options.api;
    if (api.default_locale.empty()) api.default_locale = state.site.default_locale;
    switch (route.kind) {
    case Route::Kind::locales:
    case Route::Kind::roles:
        return bind_plugin_answer(route, *state.schema, options.limits);
    case Route::Kind::me: {
        if (caller.user.empty())
            return Error{parser::ErrorKind::unauthenticated, "Unauthorized",
                         caller.name + " is no user"};
        db::Target me = route.target;
        me.id = caller.user;
        return db::bind(stages.query, me, *state.schema, *caller.permissions, api, options.limits);
    }
    default:
        return db::bind(stages.query, route.target, *state.schema, *caller.permissions, api,
                        options.limits);
    }
}

// The connection is free again before the answer is written.
Result<void> execute(Service& service, Request const& request, bool is_personal, Stages& stages) {
    auto const& limits = service.options().limits;
    stages.times.enter(Stage::acquire);
    auto lease = service.pool().acquire(limits.acquire);
    if (!lease) return lease.error();
    auto const deadline = is_personal ? request.deadline : request.share();
    if (auto begun = lease->begin_snapshot(); !begun) return begun;
    stages.times.enter(Stage::execute);
    auto result =
        db::execute(*stages.plan, **lease, {limits, deadline, stages.explained}, stages.sent);
    if (!result) return result.error();
    stages.result = *std::move(result);
    return {};
}

// A request on its way: what one stage gives, the next one takes.
Result<void> answer(Service& service, Service::State const& state, Request const& request,
                    Response& response, Stages& stages) {
    Options const& options = service.options();
    db::Schema const& schema = *state.schema;

    Route const route = find_route(request.path, options.prefix, schema);
    if (route.kind == Route::Kind::unknown) return not_found(request.path);
    if (route.target.type) stages.type = route.target.type->uid;

    auto const caller =
        state.accounts.authenticate(request.authorization, options.secrets, state.site, schema,
                                    service.pool(), options.limits.acquire);
    if (!caller) return caller.error();
    if (!caller->permissions->grants(route.scope))
        return Error{parser::ErrorKind::not_permitted, "Forbidden",
                     caller->name + " lacks " + route.scope};
    if (request.query.size() > options.limits.query_string)
        return parser::over_limit(options.limits, &parser::Limits::query_string);

    if (!route.target.type) return write_declared(route, schema, request.query, response);

    PlanCache::Key const key{caller->permissions, request.path, request.query};
    if (!stages.explained) stages.plan = state.plans.find(key);
    if (!stages.plan) {
        stages.times.enter(Stage::parse);
        stages.tree = parser::parse_query_string(request.query, options.tree);
        stages.times.enter(Stage::read);
        stages.query = parser::read_query(stages.tree);
        stages.times.enter(Stage::bind);
        auto plan = bind(route, *caller, state, options, stages);
        if (!plan) return plan.error();
        stages.plan = std::make_shared<db::SelectedPlan const>(db::select(*std::move(plan)));
        // That of /users/me is another user's for the next who asks.
        if (route.kind != Route::Kind::me) state.plans.keep(key, stages.plan);
    }

    bool const is_personal = route.kind == Route::Kind::me;
    if (auto done = execute(service, request, is_personal, stages); !done) return done;

    stages.times.enter(Stage::render);
    if (is_missing(*stages.plan, stages.result)) return no_entry(route, request, response);
    add_cache_control(options.cache_control, route.target.type->uid, request, response);
    if (route.kind == Route::Kind::locales || route.kind == Route::Kind::roles)
        append_plugin_answer(response.body, route, *stages.plan, stages.result, state.site);
    else
        append_envelope(response.body, *stages.plan, stages.result, options.limits.response);
    if (response.body.size() > options.limits.response)
        return parser::over_limit(options.limits, &parser::Limits::response);
    return {};
}

// What the database refused for a reason that is gone when asked again is asked again, once.
Result<void> answer(Service& service, Request const& request, Response& response, Stages& stages) {
    stages.times.enter(Stage::authorize);
    auto state = service.state(request.deadline);
    if (!state) return state.error();
    stages.start(*state);
    auto const done = answer(service, **state, request, response, stages);
    using enum parser::ErrorKind;
    if (done || (done.error().kind != schema_changed && done.error().kind != conflict)) return done;
    if (done.error().kind == schema_changed) {
        service.forget(**state, done.error().cause);
        state = service.state(request.deadline);
        if (!state) return state.error();
    }
    stages.start(*state);
    return answer(service, **state, request, response, stages);
}

Result<void> describe(Service& service, DocumentForm form, Request const& request,
                      Response& response) {
    auto const deadline = request.share();
    auto const state = service.state(deadline);
    if (!state) return state.error();
    auto const document = (*state)->documents->find(form, deadline);
    if (!document) return document.error();
    response.body = **document;
    return {};
}

// https://www.w3.org/TR/server-timing/: `parse;dur=0.052`, in milliseconds.
void add_server_timing(StageTimes const& times, Response& response) {
    std::string value;
    auto const append = [&](std::string_view name, StageTimes::Duration duration) {
        std::array<char, 32> number;
        auto const end = std::to_chars(number.begin(), number.end(), milliseconds(duration),
                                       std::chars_format::fixed, 3)
                             .ptr;
        value.append(value.empty() ? "" : ", ").append(name).append(";dur=");
        value.append(number.begin(), end);
    };
    for_each_stage(times, append);
    append("total", times.total());
    response.headers.emplace_back("Server-Timing", std::move(value));
}

Result<void> look_for_readiness(Service& service, Request const& request, Response& response) {
    if (auto const state = service.state(request.deadline); !state) return state.error();
    auto const connection = service.pool().snapshot(service.options().limits.acquire);
    if (!connection) return connection.error();
    response.status = 204;
    return {};
}

// Answers what is asked below /_explain, to the same caller, and tells about that instead.
Result<void> explain(Service& service, Request request, std::string_view path, Response& response) {
    request.path = path;
    request.twins = nullptr;
    Response answered;
    Stages stages;
    stages.times = StageTimes(request.arrived);
    stages.explained = true;
    if (auto const done = answer(service, request, answered, stages); !done) {
        stages.error = done.error();
        write_error(done.error(), answered);
    }
    stages.times.stop();
    response.headers.emplace_back("Cache-Control", "no-store");
    response.body = explanation(request, answered, stages);
    return {};
}

Result<void> get(Service& service, Request const& request, Response& response, Stages& stages) {
    Options const& options = service.options();
    if (is_health(request.path)) {
        response.status = 204;
        return {};
    }
    if (is_ready(request.path)) return look_for_readiness(service, request, response);
    if (auto const form = asked_document(request.path); form && options.openapi_route)
        return describe(service, *form, request, response);
    if (auto const path = explained_path(request.path); path && options.explain_route)
        return explain(service, request, *path, response);
    return answer(service, request, response, stages);
}

// Of OPTIONS that is no preflight, as Strapi 4.26 answers it.
void write_options(Response& response) {
    response.headers.emplace_back("Allow", allowed_methods);
    response.headers.emplace_back("Content-Type", "text/plain; charset=utf-8");
}

// Clients that can log in or write read why they can't here, in the envelope that they expect.
Error refused_method(std::string_view method) {
    constexpr std::string_view writing[] = {"POST", "PUT", "PATCH", "DELETE"};
    constexpr auto expected = "this server answers reads only: expected GET, HEAD or OPTIONS";
    if (std::ranges::find(writing, method) == std::end(writing))
        return {parser::ErrorKind::not_implemented, expected};
    return {parser::ErrorKind::method_not_allowed,
            expected + (", received " + std::string(method))};
}

Result<void> respond(Service& service, Request const& request, Response& response, Stages& stages) {
    response.headers_only = request.method == "HEAD";
    if (request.method == "OPTIONS") {
        if (is_preflight(request))
            write_preflight(service.options().cors, response);
        else
            write_options(response);
    } else if (request.method != "GET" && request.method != "HEAD") {
        return refused_method(request.method);
    } else {
        auto done = get(service, request, response, stages);
        if (!done || response.status != 200) return done;
        add_validator(request, response);
        if (response.status == 200)
            response.headers.emplace_back("Content-Type", "application/json; charset=utf-8");
    }
    return {};
}

} // namespace

void handle_request(Service& service, Request const& request, Response& response, Stages& stages) {
    stages.times = StageTimes(request.arrived);
    if (auto const done = respond(service, request, response, stages); !done) {
        stages.error = done.error();
        bool const headers_only = response.headers_only;
        write_error(done.error(), response);
        response.headers_only = headers_only;
    }
    stages.times.stop();
    Trace& trace = response.trace;
    trace.times = stages.times;
    trace.type = stages.type;
    if (stages.plan) trace.plan_known = !stages.times.of(Stage::parse);
    trace.statements = stages.sent.size();
    for (db::SentStatement const& statement : stages.sent)
        trace.rows += statement.rows;
    if (service.options().server_timing) add_server_timing(stages.times, response);
    add_cors(request, service.options().cors, response);
    response.headers.emplace_back("Vary", "Origin, Authorization");
}

} // namespace fcgi
