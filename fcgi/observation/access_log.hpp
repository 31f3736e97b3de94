#pragma once

#include "fcgi/events/events.hpp"
#include "fcgi/options/options.hpp"

#include <string>

// The lines that requests leave in the log. Never in them: credentials, and values of a query.

namespace fcgi {

// Of one that was answered, as `log-requests` and `log-query` say.
void log_answered(event::Answered const& answered, LogOptions const& options);

// Of one that took as long as `log-slow`: the stages, then each statement with `?` for its values.
void log_if_slow(event::Handled const& handled, LogOptions const& options);

} // namespace fcgi
