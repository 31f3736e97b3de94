#include "fcgi/answer/handle_request.hpp"

#include "fcgi/answer/declared_types.hpp"
#include "fcgi/answer/explain.hpp"
#include "fcgi/answer/forms.hpp"
#include "fcgi/answer/kept_answers.hpp"
#include "fcgi/http/answer.hpp"
#include "fcgi/http/reading_of.hpp"
#include "fcgi/http/route.hpp"
#include "fcgi/json/envelope.hpp"
#include "parser/percent_decode.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"

#include <algorithm>

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
    parser::Deadline::Clock::time_point waiting_since = request.arrived; // for a connection

    Options const& options() const { return service.options(); }
    void enter(Stage stage) const { response.trace.times.enter(stage); }
};

// Strapi 4.26 looks for a file where no route has an answer, and refuses a path that names none.
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

Answer no_content() {
    Answer answer;
    answer.status = 204;
    answer.media_type = {};
    return answer;
}

Result<Answer> no_entry(Route const& route, Way const& way) {
    switch (route.kind->missing) {
    case Missing::not_found:
        return not_found(way.request.path);
    case Missing::file_not_found:
        return Error{parser::ErrorKind::not_found, "file.notFound"};
    case Missing::no_content:
        break;
    }
    return no_content();
}

ContentKey key_of(Caller const& caller, Way const& way) {
    return {caller.permissions, way.request.path, way.request.query,
            document_format(way.request, way.options())};
}

// Finds the plan of an earlier request, or makes one.
Result<void> make_plan(Route const& route, Caller const& caller, Way const& way) {
    auto& [tree, query, state, plan, sent, result, error, origin] = way.workings;
    ContentKey const key = key_of(caller, way);
    if (way.wanted == Wanted::answer) plan = state->plans.find(key);
    if (plan) return {};
    way.enter(Stage::parse);
    parser::Reading const& reading = reading_of(state->schema->version);
    parser::TreeOptions syntax = way.options().tree;
    syntax.balances_brackets = reading.balances_brackets;
    tree = parser::parse_query_string(way.request.query, syntax);
    way.enter(Stage::read);
    query = parser::read_query(tree, reading);
    way.enter(Stage::bind);
    auto bound =
        maker_of(route.kind->form)
            .bind({tree, query, route, caller, *state, way.options(), key.document_format});
    if (!bound) return bound.error();
    plan = std::make_shared<db::SelectedPlan const>(db::select(*std::move(bound)));
    if (!route.kind->is_personal) state->plans.keep(key, plan);
    return {};
}

// Its cost is known once there is a plan, before anything is taken for it.
Result<void> enter_lane(Way const& way) {
    Cost const cost = way.service.plan_costs().of(*way.workings.plan);
    way.response.trace.cost = cost;
    if (!way.request.lane) return {};
    auto const entered = way.request.lane->enter(cost);
    if (!entered) return entered.error();
    way.response.postponed = !*entered;
    if (way.response.postponed) return parser::unavailable("postponed");
    return {};
}

// What the database took for it, as far as that says something of the next: not where the
// connection was lost, say.
void note_cost(Way const& way, Result<db::ResultTree> const& result) {
    using enum parser::ErrorKind;
    if (!result && result.error().kind != timed_out && result.error().kind != over_limit) return;
    std::chrono::nanoseconds time{0};
    for (db::SentStatement const& statement : way.workings.sent)
        time += statement.duration;
    way.service.plan_costs().add(*way.workings.plan, time, result.has_value());
}

// Marked, if what is read then may be kept.
Result<void> begin(db::Pool::Lease& lease, db::Extent extent, Route const& route,
                   parser::Deadline const& deadline, Way const& way) {
    auto const fresh = way.service.freshness(way.request);
    auto& [tables, mark] = way.workings.origin;
    if (fresh.knows_changes() && !route.kind->is_personal)
        tables = way.service.dependencies(way.workings.state->relations.get(),
                                          way.workings.plan->tables);
    auto const begun = fresh.begin(lease, extent, tables, deadline);
    if (!begun) return begun.error();
    mark = *begun;
    return {};
}

// The connection is free again before the answer is written.
Result<void> execute(Route const& route, Way const& way) {
    auto const& limits = way.options().limits;
    way.enter(Stage::acquire);
    auto lease = way.service.pool().acquire({limits.acquire, way.waiting_since});
    if (!lease) return lease.error();
    auto const deadline = route.kind->is_personal ? way.request.deadline : way.request.share();
    auto const connect = [&](db::Extent extent) -> Result<db::Connection*> {
        way.enter(Stage::acquire);
        if (auto begun = begin(*lease, extent, route, deadline, way); !begun) return begun.error();
        way.enter(Stage::execute);
        return &**lease;
    };
    auto result =
        db::execute(*way.workings.plan, connect,
                    {limits, deadline, way.response.memory, way.wanted == Wanted::explanation},
                    way.workings.sent);
    note_cost(way, result);
    if (!result) return result.error();
    way.workings.result = *std::move(result);
    return {};
}

Result<Answer> render(Route const& route, Way const& way) {
    Options const& options = way.options();
    Workings const& workings = way.workings;
    way.enter(Stage::render);
    if (is_missing(*workings.plan, workings.result)) return no_entry(route, way);
    Answer answer;
    answer.cache_directives = directives_of(options.cache_control, route.target.type->uid);
    answer.body = std::move(way.response.body); // its buffer
    parser::Limits const& limits = options.limits;
    auto const written =
        maker_of(route.kind->form)
            .append(answer.body.own(), *workings.plan, workings.result, workings.state->site,
                    {limits.response, {way.request.deadline.at}, &way.response.memory});
    switch (written) {
    case Written::whole:
        if (answer.body.size() <= limits.response) return answer;
        [[fallthrough]];
    case Written::too_long:
        return parser::over_limit(limits, &parser::Limits::response);
    case Written::too_late:
        return parser::timed_out(limits, &parser::Limits::request, "while the answer was written");
    case Written::no_memory:
        break;
    }
    return parser::unavailable(parser::OutOfBudget().what());
}

// Accounts are read where they are not known.
AccountSource account_source(Service::State const& state, Way const& way) {
    return {*state.schema,
            state.account_tables,
            &way.service.pool(),
            {way.options().limits.acquire, way.waiting_since},
            way.service.freshness(way.request)};
}

// What one stage gives, the next one takes.
Result<Answer> answer_in(Service::State& state, Way const& way) {
    Options const& options = way.options();
    Request const& request = way.request;

    Route const route = find_route(request.path, options.prefix, *state.schema);
    if (!route.kind) return not_found(request.path);
    if (route.target.type) way.response.trace.type = route.target.type->uid;

    auto const caller = state.accounts.authenticate(request.authorization, options.secrets,
                                                    state.site, account_source(state, way));
    if (!caller) return caller.error();
    if (!caller->permissions->grants(route.scope))
        return Error{parser::ErrorKind::not_permitted, "Forbidden",
                     caller->name + " lacks " + route.scope};
    if (route.kind->form == Form::none) return not_found(request.path);
    if (request.query.size() > options.limits.query_string)
        return parser::over_limit(options.limits, &parser::Limits::query_string);

    if (!route.target.type) return declared_answer(route, *state.schema, request.query);
    if (auto done = make_plan(route, *caller, way); !done) return done.error();
    if (auto entered = enter_lane(way); !entered) return entered.error();
    if (auto done = execute(route, way); !done) return done.error();
    auto answer = render(route, way);
    if (answer && way.wanted == Wanted::answer)
        keep(way.service, state, key_of(*caller, way), way.workings.origin, route.target.type->uid,
             *answer);
    return answer;
}

Result<std::shared_ptr<Service::State>> state_for(Way const& way,
                                                  parser::Deadline const& deadline) {
    return way.service.state(way.service.freshness(way.request), deadline, way.waiting_since);
}

Result<Answer> answer_once(Way const& way) {
    auto const state = state_for(way, way.request.deadline);
    if (!state) return state.error();
    way.workings = {};
    way.workings.state = *state;
    return answer_in(**state, way);
}

// The reason is gone when the database is asked again, or another server of it.
bool is_worth_another(Error const& error, Way const& way) {
    using enum parser::ErrorKind;
    if (error.kind == schema_changed || error.kind == conflict) return true;
    return error.kind == connection_lost && !way.service.pool().hosts().is_alone();
}

Result<Answer> answer(Way const& way) {
    auto done = answer_once(way);
    if (done || !is_worth_another(done.error(), way)) return done;
    if (done.error().kind == parser::ErrorKind::schema_changed && way.workings.state)
        way.service.forget(*way.workings.state, done.error().cause);
    Way again = way;
    again.waiting_since = parser::Deadline::Clock::now();
    return answer_once(again);
}

Result<Answer> describe(ServiceRoute route, Way const& way) {
    bool const is_flat = route == ServiceRoute::flat_document;
    auto const deadline = way.request.share();
    auto const state = state_for(way, deadline);
    if (!state) return state.error();
    return (*state)->documents->find(is_flat ? DocumentForm::flat : DocumentForm::deep, deadline);
}

// Anyone may ask: it tells the kind of thing that is wrong, and no names.
Error not_ready(Error error) {
    using enum parser::ErrorKind;
    std::string_view what = "the permissions and settings in the database cannot be read";
    if (error.kind == unavailable || error.kind == connection_lost || error.kind == timed_out ||
        error.kind == conflict)
        what = "the database does not answer, or not in time";
    if (error.kind == not_granted) what = "the database's account may not read all that it has to";
    if (error.kind == schema_changed) what = "the database lacks tables or columns";
    return {unavailable, std::string("Not ready: ").append(what), std::move(error.cause),
            std::move(error.subject)};
}

// RFC 9211. Who is ready without its cache says why it has none.
std::string cache_status(Service& service) {
    auto detail = service.why_no_cache();
    if (detail.empty()) return "populate-fcgi";
    std::ranges::replace(detail, '"', '\'');
    return "populate-fcgi; fwd=bypass; detail=\"" + detail + '"';
}

// `2 of 3`, of which nobody may know how far behind they are.
std::string hosts_status(db::HostsView const& view) {
    auto const& hosts = view.hosts;
    auto const asked =
        std::ranges::count_if(hosts, [](auto& host) { return host.trouble.empty(); });
    auto const text = std::to_string(asked) + " of " + std::to_string(hosts.size());
    return view.has_primary ? text : text + "; no primary";
}

Result<Answer> look_for_readiness(Way const& way) {
    auto const state = state_for(way, way.request.deadline);
    if (!state) return not_ready(state.error());
    auto const connection =
        way.service.pool().snapshot({way.options().limits.acquire, way.request.arrived});
    if (!connection) return not_ready(connection.error());
    // The log has their names, from when they were missed first.
    if (!(*state)->schema->lacks.empty()) return not_ready({parser::ErrorKind::schema_changed});
    auto answer = no_content();
    if (auto const hosts = way.service.pool().hosts().view(); hosts.hosts.size() > 1)
        answer.headers.emplace_back("Database-Hosts", hosts_status(hosts));
    if (way.service.change_log())
        answer.headers.emplace_back("Cache-Status", cache_status(way.service));
    return answer;
}

// Answers what is asked below /_explain, to the same caller, and tells about that instead.
Answer explain(std::string_view path, Way const& way) {
    Request request = way.request;
    request.path = path;
    request.twins = nullptr;
    Response response;
    response.memory = std::move(way.response.memory);
    response.trace.times = StageTimes(request.arrived);
    response.trace.times.enter(Stage::authorize);
    Workings workings;
    auto answered = answer({way.service, request, response, workings, Wanted::explanation});
    if (!answered) {
        workings.error = answered.error();
        answered = error_answer(*workings.error);
    }
    response.trace.times.stop();
    way.response.trace.cost = response.trace.cost;
    way.response.postponed = response.postponed;
    Answer explained;
    explained.headers.emplace_back("Cache-Control", "no-store");
    explained.body.own() = explanation(request, *answered, response.trace, workings);
    return explained;
}

Result<Answer> get(Way const& way) {
    Options const& options = way.options();
    if (auto const route = find_service_route(way.request.path)) {
        switch (*route) {
        case ServiceRoute::health:
            return no_content();
        case ServiceRoute::ready:
            return look_for_readiness(way);
        case ServiceRoute::document:
        case ServiceRoute::flat_document:
            if (options.openapi_route) return describe(*route, way);
        }
    }
    if (auto const path = explained_path(way.request.path); path && options.explain_route)
        return explain(*path, way);
    way.enter(Stage::authorize);
    if (auto kept = find_kept(way.service, way.request, way.response.trace, true))
        return *std::move(kept);
    return answer(way);
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

Result<Answer> respond(Way const& way) {
    std::string_view const method = way.request.method;
    if (method == "OPTIONS") return options_answer(way.request, way.options().cors);
    if (method != "GET" && method != "HEAD") return refused_method(method);
    return get(way);
}

} // namespace

void handle_request(Service& service, Request const& request, Response& response,
                    Workings& workings, Wanted wanted) {
    Trace& trace = response.trace;
    trace.times = StageTimes(request.arrived);
    auto answered = respond({service, request, response, workings, wanted});
    if (response.postponed) return;
    if (!answered) {
        workings.error = answered.error();
        auto const& error = *workings.error;
        if (error.subject) trace.limit = error.subject->limit;
        if (error.kind == parser::ErrorKind::unauthenticated ||
            error.kind == parser::ErrorKind::not_permitted)
            trace.reason = error.cause;
        answered = error_answer(*workings.error);
    }
    dress(*std::move(answered), request, service.dress(), response);
    if (workings.plan) trace.plan_known = !trace.times.of(Stage::parse);
    trace.statements = workings.sent.size();
    for (db::SentStatement const& statement : workings.sent)
        trace.rows += statement.rows;
}

} // namespace fcgi
