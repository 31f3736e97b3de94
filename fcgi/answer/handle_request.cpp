#include "fcgi/answer/handle_request.hpp"

#include "fcgi/answer/declared_types.hpp"
#include "fcgi/answer/explain.hpp"
#include "fcgi/answer/forms.hpp"
#include "fcgi/http/caching.hpp"
#include "fcgi/http/cors.hpp"
#include "fcgi/http/request_key.hpp"
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

// A request on its way.
struct Way {
    Service& service;
    Request const& request;
    Response& response;
    Workings& workings;
    Wanted wanted;

    Options const& options() const { return service.options(); }
    void enter(Stage stage) const { response.trace.times.enter(stage); }
};

// Strapi 4.26 looks for a file where no route has an answer, and refuses a path that names none.
Error not_found(std::string_view path) {
    std::string decoded(path);
    decoded.resize(parser::decode_escapes(decoded).size());
    bool const undecodable = decoded.size() == path.size() && path.find('%') != path.npos;
    if (undecodable) return {parser::ErrorKind::malformed, "failed to decode"};
    if (decoded.find('\0') != decoded.npos) return {parser::ErrorKind::malformed, "Malicious Path"};
    return {parser::ErrorKind::not_found, "Not Found"};
}

Result<void> no_entry(Route const& route, Way const& way) {
    switch (route.kind->missing) {
    case Missing::not_found:
        return not_found(way.request.path);
    case Missing::file_not_found:
        return Error{parser::ErrorKind::not_found, "file.notFound"};
    case Missing::no_content:
        break;
    }
    way.response.status = 204;
    return {};
}

// Finds the plan of an earlier request, or makes one.
Result<void> make_plan(Route const& route, Caller const& caller, Way const& way) {
    auto& [tree, query, state, plan, sent, result, error] = way.workings;
    PlanCache::Key const key{caller.permissions, way.request.path, way.request.query};
    if (way.wanted == Wanted::answer) plan = state->plans.find(key);
    if (plan) return {};
    way.enter(Stage::parse);
    tree = parser::parse_query_string(way.request.query, way.options().tree);
    way.enter(Stage::read);
    query = parser::read_query(tree);
    way.enter(Stage::bind);
    auto bound = maker_of(route.kind->form).bind({query, route, caller, *state, way.options()});
    if (!bound) return bound.error();
    plan = std::make_shared<db::SelectedPlan const>(db::select(*std::move(bound)));
    if (!route.kind->is_personal) state->plans.keep(key, plan);
    return {};
}

// The connection is free again before the answer is written.
Result<void> execute(Route const& route, Way const& way) {
    auto const& limits = way.options().limits;
    way.enter(Stage::acquire);
    auto lease = way.service.pool().acquire(limits.acquire);
    if (!lease) return lease.error();
    auto const deadline = route.kind->is_personal ? way.request.deadline : way.request.share();
    if (auto begun = lease->begin_snapshot(); !begun) return begun;
    way.enter(Stage::execute);
    auto result =
        db::execute(*way.workings.plan, **lease,
                    {limits, deadline, way.wanted == Wanted::explanation}, way.workings.sent);
    if (!result) return result.error();
    way.workings.result = *std::move(result);
    return {};
}

Result<void> render(Route const& route, Way const& way) {
    auto const& [service, request, response, workings, wanted] = way;
    Options const& options = way.options();
    way.enter(Stage::render);
    if (is_missing(*workings.plan, workings.result)) return no_entry(route, way);
    add_cache_control(options.cache_control, route.target.type->uid, request, response);
    maker_of(route.kind->form)
        .append(response.body, *workings.plan, workings.result, workings.state->site,
                options.limits.response);
    if (response.body.size() > options.limits.response)
        return parser::over_limit(options.limits, &parser::Limits::response);
    return {};
}

// What one stage gives, the next one takes.
Result<void> answer_once(Way const& way) {
    Service::State& state = *way.workings.state;
    Options const& options = way.options();
    Request const& request = way.request;

    Route const route = find_route(request.path, options.prefix, *state.schema);
    if (!route.kind) return not_found(request.path);
    if (route.target.type) way.response.trace.type = route.target.type->uid;

    auto const caller =
        state.accounts.authenticate(request.authorization, options.secrets, state.site,
                                    *state.schema, way.service.pool(), options.limits.acquire);
    if (!caller) return caller.error();
    if (!caller->permissions->grants(route.scope))
        return Error{parser::ErrorKind::not_permitted, "Forbidden",
                     caller->name + " lacks " + route.scope};
    if (request.query.size() > options.limits.query_string)
        return parser::over_limit(options.limits, &parser::Limits::query_string);

    if (!route.target.type)
        return write_declared(route, *state.schema, request.query, way.response);
    if (auto done = make_plan(route, *caller, way); !done) return done;
    if (auto done = execute(route, way); !done) return done;
    return render(route, way);
}

// What the database refused for a reason that is gone when asked again is asked again, once.
Result<void> answer(Way const& way) {
    using enum parser::ErrorKind;
    way.enter(Stage::authorize);
    auto state = way.service.state(way.request.deadline);
    if (!state) return state.error();
    way.workings.state = *state;
    auto const done = answer_once(way);
    if (done || (done.error().kind != schema_changed && done.error().kind != conflict)) return done;
    if (done.error().kind == schema_changed) {
        way.service.forget(**state, done.error().cause);
        state = way.service.state(way.request.deadline);
        if (!state) return state.error();
    }
    way.workings = {};
    way.workings.state = *state;
    return answer_once(way);
}

Result<void> describe(Service& service, ServiceRoute route, Request const& request,
                      Response& response) {
    bool const is_flat = route == ServiceRoute::flat_document;
    auto const deadline = request.share();
    auto const state = service.state(deadline);
    if (!state) return state.error();
    auto const document =
        (*state)->documents->find(is_flat ? DocumentForm::flat : DocumentForm::deep, deadline);
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
    Workings workings;
    answered.trace.times = StageTimes(request.arrived);
    if (auto const done = answer({service, request, answered, workings, Wanted::explanation});
        !done) {
        workings.error = done.error();
        write_error(done.error(), answered);
    }
    answered.trace.times.stop();
    response.headers.emplace_back("Cache-Control", "no-store");
    response.body = explanation(request, answered, workings);
    return {};
}

Result<void> get(Way const& way) {
    auto const& [service, request, response, workings, wanted] = way;
    Options const& options = service.options();
    if (auto const route = find_service_route(request.path)) {
        switch (*route) {
        case ServiceRoute::health:
            response.status = 204;
            return {};
        case ServiceRoute::ready:
            return look_for_readiness(service, request, response);
        case ServiceRoute::document:
        case ServiceRoute::flat_document:
            if (options.openapi_route) return describe(service, *route, request, response);
        }
    }
    if (auto const path = explained_path(request.path); path && options.explain_route)
        return explain(service, request, *path, response);
    return answer(way);
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

Result<void> respond(Way const& way) {
    auto const& [service, request, response, workings, wanted] = way;
    response.headers_only = request.method == "HEAD";
    if (request.method == "OPTIONS") {
        if (is_preflight(request))
            write_preflight(service.options().cors, response);
        else
            write_options(response);
    } else if (request.method != "GET" && request.method != "HEAD") {
        return refused_method(request.method);
    } else {
        auto done = get(way);
        if (!done || response.status != 200) return done;
        add_validator(request, response);
        if (response.status == 200)
            response.headers.emplace_back("Content-Type", "application/json; charset=utf-8");
    }
    return {};
}

} // namespace

void handle_request(Service& service, Request const& request, Response& response,
                    Workings& workings, Wanted wanted) {
    Trace& trace = response.trace;
    trace.times = StageTimes(request.arrived);
    if (auto const done = respond({service, request, response, workings, wanted}); !done) {
        workings.error = done.error();
        write_error(done.error(), response);
    }
    trace.times.stop();
    if (workings.plan) trace.plan_known = !trace.times.of(Stage::parse);
    trace.statements = workings.sent.size();
    for (db::SentStatement const& statement : workings.sent)
        trace.rows += statement.rows;
    if (service.options().server_timing) add_server_timing(trace.times, response);
    add_cors(request, service.options().cors, response);
    response.headers.emplace_back("Vary", varying_headers());
}

} // namespace fcgi
