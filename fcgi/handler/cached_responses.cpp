#include "fcgi/handler/cached_responses.hpp"

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

CacheUse why_invalid(db::ChangeLog const& log, db::Tag const& tag) {
    if (tag.epoch != log.epoch()) return CacheUse::epoch;
    return log.holds(tag, {}) ? CacheUse::table : CacheUse::all_tables;
}

bool is_read(Request const& request) {
    return request.method == "GET" || request.method == "HEAD";
}

// Adds the names by which an edge hears of changes. It may have heard already of one that came
// while the response was made, and would store a response of before: this asks again, as late as
// can be.
void add_tag_names(Representation& representation, ResponseCache::Pointer const& entry,
                   SiteState const& state, Service& service, Request const& request) {
    ResponseFacts const& facts = entry->facts();
    if (!request.is_from_edge || !request.authorization.empty() || !facts.tag_names) return;
    auto const fresh = service.freshness(request);
    if (service.known_state(fresh).get() == &state && fresh.holds(facts.origin))
        representation.tag_names = {entry, facts.tag_names.get()};
}

// Both bodies live as long as the cache entry.
Representation representation_of(ResponseCache::Pointer const& entry, std::string const* packed) {
    ResponseFacts const& facts = entry->facts();
    Representation representation;
    representation.cache_directives = facts.cache_directives;
    representation.entity_tag = packed ? packed_tag(facts.entity_tag) : facts.entity_tag;
    if (!facts.headers.empty()) representation.headers = facts.headers;
    if (packed) representation.headers.emplace_back("Content-Encoding", "gzip");
    representation.body = Body({entry, packed ? packed : &entry->body()});
    return representation;
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
            context.origin.moment, std::move(found.slots)};
}

// What is cached of the response besides its bytes.
ResponseFacts facts_of_rows(Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    SiteState const& state = *context.state;
    std::optional<Naming> naming;
    if (auto const* const names = service.tag_names())
        naming.emplace(
            Naming{*names, state.row_keys, separator_of(service.options().surrogate_key)});
    auto found = find_dependencies(db::row_uses(*context.plan, context.result, *state.relations),
                                   exchange, naming ? &*naming : nullptr);
    ResponseFacts facts;
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

std::optional<Representation> find_cached(Service& service, Request const& request, Trace& trace,
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
    auto const entry =
        service.responses().find(key_text(*state, {caller->permissions, request.path, request.query,
                                                   document_format(request, options)}));
    if (!entry) return std::nullopt;
    ResponseFacts const& facts = entry->facts();
    if (!fresh.holds(facts.origin)) {
        trace.cache = why_invalid(*service.change_log(), facts.origin.moment.tag);
        return std::nullopt;
    }
    std::string const* packed = nullptr;
    if (entry->body().size() >= least_packed && takes_gzip(request.accept_encoding)) {
        packed = entry->packed();
        if (!packed && has_time) {
            service.responses().pack(*entry);
            packed = entry->packed();
        } else if (!packed && entry->wants_packing()) {
            return std::nullopt;
        }
    }
    trace.type = facts.type;
    trace.cache = CacheUse::hit;
    auto representation = representation_of(entry, packed);
    add_tag_names(representation, entry, *state, service, request);
    return representation;
}

bool respond_from_cache(Service& service, Request const& request, Response& response) {
    if (request.epoch == 0 || request.authorization.size() > quickly_verified) return false;
    response.trace.times = StageTimes(request.arrived);
    auto representation = find_cached(service, request, response.trace, false);
    if (!representation) return false;
    write_response(*std::move(representation), request, service.response_rules(), response);
    return true;
}

std::optional<TotalCache::Total> find_total(Exchange const& exchange) {
    auto& [service, request, response, context] = exchange;
    if (context.is_for_explanation || !db::has_total(*context.plan)) return std::nullopt;
    return service.totals().find(key_of_total(context), service.freshness(request));
}

void cache_what_was_read(Exchange const& exchange, Representation& representation) {
    auto& [service, request, response, context] = exchange;
    auto const& origin = context.origin;
    auto const& [plan, result] = std::tie(*context.plan, context.result);
    if (!origin.tables || origin.moment.tag.epoch == 0 || representation.status != 200) return;
    if (!context.total_was_cached && result.total && db::has_total(plan) &&
        is_slow_to_count(context))
        service.totals().store(
            key_of_total(context),
            {*result.total,
             origin_of(find_dependencies(db::row_uses_of_total(plan), exchange, nullptr),
                       context)});
    auto facts = facts_of_rows(exchange);
    add_entity_tag(representation);
    facts.permissions = context.caller.permissions;
    facts.entity_tag = representation.entity_tag;
    facts.cache_directives = representation.cache_directives;
    facts.headers = representation.headers;
    auto const entry = service.responses().store(key_text(*context.state, key_of(exchange)),
                                                 std::move(facts), representation.body.bytes());
    if (entry) add_tag_names(representation, entry, *context.state, service, request);
}

} // namespace fcgi
