#pragma once

#include "fcgi/options/options.hpp"
#include "fcgi/process/events.hpp"

// Log lines of requests. They never contain credentials or values in SQL statements, and query
// strings only with `log-query`.

namespace fcgi {

// Logs a request that was answered, as `log-requests` and `log-query` say.
void log_response(ResponseSent const& sent, LogOptions const& options);

// Logs a request that took at least `log-slow`: the stages, then each statement with `?` for
// values.
void log_if_slow(RequestHandled const& handled, LogOptions const& options);

} // namespace fcgi
