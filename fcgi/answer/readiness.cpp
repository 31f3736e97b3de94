#include "fcgi/answer/readiness.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace fcgi {

namespace {

// Anyone may ask, so this says what kind of thing is wrong, and no names.
parser::Error not_ready(parser::Error error) {
    using enum parser::ErrorKind;
    std::string_view what = "the permissions and settings in the database cannot be read";
    if (parser::is_of_the_moment(error.kind))
        what = "the database does not answer, or answers too late";
    if (error.kind == not_granted)
        what = "the database account may not read everything that it has to";
    if (error.kind == schema_changed) what = "the database lacks tables or columns";
    return {unavailable, std::string("Not ready: ").append(what), std::move(error.cause),
            std::move(error.subject)};
}

// Returns a Cache-Status (RFC 9211). A process that is ready without its cache reports why.
std::string cache_status(Service& service) {
    auto detail = service.why_no_cache();
    if (detail.empty()) return "populate-fcgi";
    std::ranges::replace(detail, '"', '\'');
    return "populate-fcgi; fwd=bypass; detail=\"" + detail + '"';
}

// Returns `2 of 3`, for example. Without a primary nobody knows how far behind they are.
std::string hosts_status(db::HostsView const& view) {
    auto const& hosts = view.hosts;
    auto const asked =
        std::ranges::count_if(hosts, [](auto& host) { return host.trouble.empty(); });
    auto const text = std::to_string(asked) + " of " + std::to_string(hosts.size());
    return view.has_primary ? text : text + "; no primary";
}

} // namespace

parser::Result<Answer> look_for_readiness(Service& service, Request const& request) {
    auto const state = service.state(service.freshness(request), request.deadline, request.arrived);
    if (!state) return not_ready(state.error());
    auto const connection =
        service.pool().snapshot({service.options().limits.acquire, request.arrived});
    if (!connection) return not_ready(connection.error());
    // The log named them when they were first missed.
    if (!(*state)->schema->lacks.empty()) return not_ready({parser::ErrorKind::schema_changed});
    Answer answer;
    answer.status = 204;
    answer.media_type = {};
    if (auto const hosts = service.pool().hosts().view(); hosts.hosts.size() > 1)
        answer.headers.emplace_back("Database-Hosts", hosts_status(hosts));
    if (service.change_log()) answer.headers.emplace_back("Cache-Status", cache_status(service));
    return answer;
}

} // namespace fcgi
