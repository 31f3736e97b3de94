#pragma once

#include "fcgi/cache/response_cache.hpp"
#include "fcgi/handler/handle_request.hpp"
#include "fcgi/handler/plans.hpp"
#include "fcgi/http/http.hpp"
#include "fcgi/http/representation.hpp"

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
std::optional<Representation> find_cached(Service& service, Request const& request, Trace& trace,
                                          bool has_time);

// Does the same for a thread that has no time, and writes the response for the request. Returns
// false if a worker has to answer it.
bool respond_from_cache(Service& service, Request const& request, Response& response);

// Finds the total of the plan, if it is cached.
std::optional<TotalCache::Total> find_total(Exchange const& exchange);

// Caches what was read, if changes in all that it was read from are reported. Makes the entity tag
// of the response, and its tag names if the request is from an edge.
void cache_what_was_read(Exchange const& exchange, Representation& representation);

} // namespace fcgi
