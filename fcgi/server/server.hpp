#pragma once

#include "fcgi/http/http.hpp"
#include "fcgi/process/events.hpp"
#include "fcgi/process/listener.hpp"
#include "parser/base/limits.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

// Dispatcher and workers: FastCGI connections in, responses out.
//
// One dispatcher thread owns every connection and reads the heads of requests as they arrive. Only
// a whole, well-formed head goes to a worker, so that a slow, idle or hostile client occupies none.
// The dispatcher sends what the client does not take of its response at once, so that one that does
// not read occupies none either. After the response a connection is kept or closed, as the web
// server asked.
//
// libfcgi keeps the parameters, but never sees a client's socket: its reads block without limit, it
// aborts on lengths near 2^31, and a management record inside a request body overruns a buffer on
// its stack (2.4.2).

namespace fcgi {

class Dispatcher;
class Service;

struct ServerOptions {
    std::size_t workers = 4;
    std::size_t connections = 4; // of the database; expensive requests leave some free
    std::atomic<std::uint64_t> const* left = nullptr; // see DatabaseSlots
    bool share_requests = true;                       // equal ones that wait get one response
    std::chrono::milliseconds longest_hold{100};      // see RequestQueue
    parser::Limits limits = {};
    // The responses take their memory from this, which outlives serve().
    std::shared_ptr<parser::MemoryBudget> memory =
        std::make_shared<parser::MemoryBudget>(256 * 1024 * 1024);
    AllowedHosts allowed_hosts = {};
    // A thread of its own calls this on SIGHUP, so that serving goes on however long it takes.
    // Calls never overlap; signals that arrive during one cause one more.
    std::function<void()> reload = {};
    // How long a reply of the change log is valid for other requests, if it is asked for each
    // request whether anything changed before it.
    std::chrono::milliseconds inquiry_bound{0};
    // Receives all events; that of a response comes from the thread that sent the last of it,
    // before it does anything else.
    Observer observe = [](Event const&) {};
};

// Serves until SIGTERM or SIGINT. Then it closes the listener and idle connections, answers the
// requests in flight, and returns 0. If that takes longer than `limits.drain` it cuts the rest off
// and returns 1: a worker may still run then, so the caller ends the process at once (std::_Exit),
// without destroying what it uses.
//
// Blocks. Installs handlers for SIGTERM, SIGINT and SIGHUP, and ignores SIGPIPE and SIGUSR1. Call
// once in a process.
int serve(Listener& listener, Service& service, ServerOptions const& options);

// serve() consists of these. A caller that has workers of another kind calls the first before any
// thread starts, and the second once all have.
void block_signals();
int run_until_signalled(Listener& listener, Dispatcher& dispatcher, Observer const& observe);

} // namespace fcgi
