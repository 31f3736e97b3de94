#include "fcgi/handler/cached_responses.hpp"
#include "fcgi/handler/handle_request.hpp"

#include <valgrind/callgrind.h>

#include <chrono>
#include <iostream>
#include <thread>

// Answers requests one after another in this process, for `instructions`:
//
//     respond PATH_AND_QUERY…
//
// Options come from the environment, as for populate-fcgi. Prints status and bytes of each
// response. Below callgrind only what the thread that answers does is counted, and each response
// ends a dump, which is named `answered`. With the cache on, the log is taken to have reported
// everything; with surrogate-key, too, an edge asks.

namespace {

void handle(fcgi::Service& service, fcgi::Request const& request, fcgi::Response& response) {
    CALLGRIND_ZERO_STATS;
    CALLGRIND_TOGGLE_COLLECT;
    if (!service.change_log() || !fcgi::respond_from_cache(service, request, response)) {
        fcgi::RequestContext context;
        fcgi::handle_request(service, request, response, context);
    }
    CALLGRIND_TOGGLE_COLLECT;
    CALLGRIND_DUMP_STATS_AT("answered");
}

} // namespace

int main(int argc, char** argv) {
    auto parsed = fcgi::parse_options(1, argv);
    if (parsed.exit) return *parsed.exit;
    fcgi::Options& options = parsed.options;
    // Being watched takes time: nothing may expire.
    options.permission_ttl = options.limits.statement = std::chrono::hours(1);

    auto const service = fcgi::Service::create(options);
    if (!service) {
        std::cerr << service.error().message << '\n';
        return 1;
    }
    auto* const log = (*service)->change_log();
    (*service)->follow_changes();
    while (log && log->epoch() == 0)
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    fcgi::Response response;
    for (int i = 1; i < argc; ++i) {
        auto const target = fcgi::split_target(argv[i]);
        fcgi::Request request;
        request.method = "GET";
        request.path = target.path;
        request.query = target.query;
        request.epoch = log ? log->epoch() : 0;
        request.is_from_edge = !options.surrogate_key.empty();
        response.clear();
        handle(**service, request, response);
        std::cout << response.status << ' ' << response.body.size() << std::endl;
    }
}
