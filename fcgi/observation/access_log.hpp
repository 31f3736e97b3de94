#pragma once

#include "fcgi/answer/service.hpp"
#include "fcgi/connections/server.hpp"
#include "fcgi/options/options.hpp"

// The lines that requests leave in the log. Never in them: credentials, and values of a query.

namespace fcgi {

// Of one that was answered, as `log-requests` and `log-query` say.
void log_request(Answered const& answered, Options const& options);

// Of one that took as long as `log-slow`: the stages, then each statement with `?` for its values.
// `stages` are at their end. Chooses the id in `trace`.
void log_if_slow(Request const& request, Stages const& stages, Options const& options,
                 Trace& trace);

// X-Request-Id as the web server passes it on, if it is 1 to 64 letters, digits or `-_.`; else an
// id that no other request of this process has.
std::string request_id(std::string_view passed_on);

} // namespace fcgi
