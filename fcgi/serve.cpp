#include "fcgi/commands.hpp"
#include "fcgi/listener.hpp"
#include "fcgi/log.hpp"
#include "fcgi/processes.hpp"
#include "fcgi/server.hpp"
#include "fcgi/service.hpp"
#include "fcgi/systemd.hpp"

#include <cstdlib>

#include <malloc.h>

namespace fcgi {

namespace {

// glibc raises this limit to the largest block it has seen freed, and then keeps what large answers
// needed: threads would hold that much each for good. Larger blocks than this go back at once.
constexpr int kept_block_bytes = 1024 * 1024;

int serve_in_this_process(Service& service, Listener& listener) {
    if (auto const state = service.state(); !state)
        log_line("the database does not answer yet: " + state.error().cause);

    Options const& options = service.options();
    ServerOptions server;
    server.workers = options.workers;
    server.limits = options.limits;
    server.reload = [&service] {
        tell_systemd("RELOADING=1");
        auto const reloaded = service.reload();
        log_line(reloaded ? "reloaded" : "kept the old schema: " + reloaded.error().message);
        tell_systemd("READY=1");
    };
    int const result =
        serve(listener, server, [&service](Request const& request, Response& response) {
            Stages stages;
            handle_request(service, request, response, stages);
            if (!stages.cause.empty()) log_line(stages.cause);
        });
    // Requests that were cut off may still be using the service.
    if (result != exit_ok) std::_Exit(result);
    return result;
}

} // namespace

int run_serve(Options const& options) {
    ::mallopt(M_MMAP_THRESHOLD, kept_block_bytes);
    auto service = Service::create(options);
    if (!service) {
        log_line(service.error().message);
        return exit_configuration;
    }
    auto listener = Listener::open(options.listen, options.socket_group);
    if (!listener) {
        log_line(listener.error().message);
        return exit_cannot_create;
    }
    auto const serve_alone = [&] { return serve_in_this_process(**service, *listener); };
    if (options.processes == 1) return serve_alone();
    return keep_serving(options.processes, *listener, serve_alone);
}

} // namespace fcgi
