#pragma once

#include "fcgi/answer/handle_request.hpp"
#include "fcgi/answer/plans.hpp"
#include "fcgi/cache/answer_cache.hpp"
#include "fcgi/http/answer.hpp"
#include "fcgi/http/http.hpp"

#include <optional>

// Gives responses again, exactly as a read of the database would give them. Each step contributes
// what it knows of their dependencies: a caller's permissions and the state of the service are part
// of the key, the plan knows the tables, and the tag of the snapshot covers the rest.

namespace fcgi {

// The caller is known.
ContentKey key_of(Exchange const& exchange);

// Returns the cached response to an equal request, if it is the one that would be made now. Asks
// nobody and does not wait. One that is worth packing is packed first if the caller `has_time`, and
// is not found otherwise.
std::optional<Answer> find_kept(Service& service, Request const& request, Trace& trace,
                                bool has_time);

// Does the same for a thread that has no time, and dresses the response for the request. Returns
// false if a worker has to answer it.
bool answer_kept(Service& service, Request const& request, Response& response);

// Finds the total of the plan, if it is cached.
std::optional<KeptTotals::Total> find_total(Exchange const& exchange);

// Caches what was read, if changes in all that it was read from are reported. Makes the entity tag
// of the response, and its tag names if the request is from an edge.
void keep_what_was_read(Exchange const& exchange, Answer& answer);

} // namespace fcgi
