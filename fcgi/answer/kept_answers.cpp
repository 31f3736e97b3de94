#include "fcgi/answer/kept_answers.hpp"

#include "db/binlog/row_uses.hpp"
#include "fcgi/cache/dependencies.hpp"
#include "fcgi/cache/gzip.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace fcgi {

namespace {

// Packing a body that is smaller than this does not save a packet of a network.
constexpr std::size_t least_packed = 1'024;

// Authorization headers of up to so many bytes are verified without a worker: many times the tokens
// of Strapi. Clients make up longer ones, and each takes time in proportion to its length.
constexpr std::size_t quickly_verified = 4'096;

// The number of the state keeps entries of other states from being found.
std::string key_text(SiteState const& state, ContentKey const& key) {
    auto text = key.text(sizeof state.number);
    return text.append(reinterpret_cast<char const*>(&state.number), sizeof state.number);
}

CacheUse why_void(db::ChangeLog const& log, db::Tag const& tag) {
    if (tag.epoch != log.epoch()) return CacheUse::epoch;
    return log.holds(tag, {}) ? CacheUse::table : CacheUse::all_tables;
}

bool is_read(Request const& request) {
    return request.method == "GET" || request.method == "HEAD";
}

// Adds the names by which an edge hears of changes. It may have heard already of one that came
// while the response was made, and would store a response of before: this asks again, as late as
// can be.
void add_tag_names(Answer& answer, AnswerCache::Pointer const& kept, SiteState const& state,
                   Service& service, Request const& request) {
    AnswerFacts const& facts = kept->facts();
    if (!request.is_from_edge || !request.authorization.empty() || !facts.tag_names) return;
    auto const fresh = service.freshness(request);
    if (service.known_state(fresh).get() == &state && fresh.holds(facts.origin))
        answer.tag_names = {kept, facts.tag_names.get()};
}

// Both bodies live as long as the cache entry.
Answer answer_of(AnswerCache::Pointer const& kept, std::string const* packed) {
    AnswerFacts const& facts = kept->facts();
    Answer answer;
    answer.cache_directives = facts.cache_directives;
    answer.entity_tag = packed ? packed_tag(facts.entity_tag) : facts.entity_tag;
    if (!facts.headers.empty()) answer.headers = facts.headers;
    if (packed) answer.headers.emplace_back("Content-Encoding", "gzip");
    answer.body = Body({kept, packed ? packed : &kept->body()});
    return answer;
}

// Returns the format of entries that a request asks for. Strapi 5.54: `Strapi-Response-Format: v4`,
// and nothing but that, asks for entries as Strapi 4 has them.
db::ReadPlan::Format document_format(Request const& request, Options const& options) {
    return request.response_format == "v4" ? db::ReadPlan::Format::documents
                                           : options.api.document_format;
}

RowDependencies find_dependencies(db::RowUses uses, Exchange const& exchange, Naming* naming) {
    auto& [service, request, response, context] = exchange;
    return dependencies_of(std::move(uses), *context.state->relations, *service.change_log(),
                           naming);
}

ReadOrigin origin_of(RowDependencies&& found, RequestContext const& context) {
    return {std::make_shared<decltype(found.tables) const>(std::move(found.tables)),
            context.origin.mark, std::move(found.slots)};
}

// What is kept of the response besides the response.
AnswerFacts facts_of_rows(Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    SiteState const& state = *context.state;
    std::optional<Naming> naming;
    if (auto const* const names = service.tag_names())
        naming.emplace(
            Naming{*names, state.row_keys, separator_of(service.options().surrogate_key)});
    auto found = find_dependencies(db::row_uses(*context.plan, context.result, *state.relations),
                                   exchange, naming ? &*naming : nullptr);
    AnswerFacts facts;
    facts.type = context.route.target.type->uid;
    if (naming) facts.tag_names = std::make_unique<std::string const>(std::move(found.names));
    facts.origin = origin_of(std::move(found), context);
    return facts;
}

// Returns whether counting took so long that it is worth more than to ask whether a cached total is
// still true.
bool is_slow_to_count(RequestContext const& context) {
    constexpr std::chrono::milliseconds slow{5};
    return std::ranges::any_of(context.sent, [&](db::SentStatement const& statement) {
        return !statement.node && statement.duration >= slow;
    });
}

// The number of the state keeps totals of other states from being found: what these depend on was
// told by other columns.
std::string key_of_total(RequestContext const& context) {
    return context.plan->statements.total.str() + ' ' + std::to_string(context.state->number);
}

} // namespace

ContentKey key_of(Exchange const& exchange) {
    auto const& [service, request, response, context] = exchange;
    return {context.caller.permissions, context.path, request.query,
            document_format(request, service.options())};
}

std::optional<Answer> find_kept(Service& service, Request const& request, Trace& trace,
                                bool has_time) {
    if (!service.change_log() || !is_read(request)) return std::nullopt;
    trace.cache = request.epoch == 0 ? CacheUse::bypass : CacheUse::miss;
    auto const fresh = service.freshness(request);
    if (!fresh.knows_changes()) return std::nullopt;
    auto const state = service.known_state(fresh);
    if (!state) return std::nullopt;
    Options const& options = service.options();
    auto const caller = state->accounts.authenticate(
        request.authorization, options.secrets, state->site,
        {*state->schema, state->account_tables, nullptr, options.limits.acquire, fresh});
    if (!caller) return std::nullopt;
    auto const kept =
        service.answers().find(key_text(*state, {caller->permissions, request.path, request.query,
                                                 document_format(request, options)}));
    if (!kept) return std::nullopt;
    AnswerFacts const& facts = kept->facts();
    if (!fresh.holds(facts.origin)) {
        trace.cache = why_void(*service.change_log(), facts.origin.mark.tag);
        return std::nullopt;
    }
    std::string const* packed = nullptr;
    if (kept->body().size() >= least_packed && takes_gzip(request.accept_encoding)) {
        packed = kept->packed();
        if (!packed && has_time) {
            service.answers().pack(*kept);
            packed = kept->packed();
        } else if (!packed && kept->wants_packing()) {
            return std::nullopt;
        }
    }
    trace.type = facts.type;
    trace.cache = CacheUse::hit;
    auto answer = answer_of(kept, packed);
    add_tag_names(answer, kept, *state, service, request);
    return answer;
}

bool answer_kept(Service& service, Request const& request, Response& response) {
    if (request.epoch == 0 || request.authorization.size() > quickly_verified) return false;
    response.trace.times = StageTimes(request.arrived);
    auto answer = find_kept(service, request, response.trace, false);
    if (!answer) return false;
    dress(*std::move(answer), request, service.dress(), response);
    return true;
}

std::optional<KeptTotals::Total> find_total(Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    if (context.is_for_explanation || !db::has_total(*context.plan)) return std::nullopt;
    return service.totals().find(key_of_total(context), service.freshness(request));
}

void keep_what_was_read(Exchange const& exchange, Answer& answer) {
    auto& [service, request, response, context] = exchange;
    auto const& origin = context.origin;
    auto const& [plan, result] = std::tie(*context.plan, context.result);
    if (!origin.tables || origin.mark.tag.epoch == 0 || answer.status != 200) return;
    if (!context.total_was_cached && result.total && db::has_total(plan) &&
        is_slow_to_count(context))
        service.totals().keep(
            key_of_total(context),
            {*result.total,
             origin_of(find_dependencies(db::row_uses_of_total(plan), exchange, nullptr),
                       context)});
    auto facts = facts_of_rows(exchange);
    add_entity_tag(answer);
    facts.permissions = context.caller.permissions;
    facts.entity_tag = answer.entity_tag;
    facts.cache_directives = answer.cache_directives;
    facts.headers = answer.headers;
    auto const kept = service.answers().keep(key_text(*context.state, key_of(exchange)),
                                             std::move(facts), answer.body.bytes());
    if (kept) add_tag_names(answer, kept, *context.state, service, request);
}

} // namespace fcgi
