#pragma once

#include "fcgi/access/content_key.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/http/answer.hpp"
#include "fcgi/http/http.hpp"

#include <optional>

// Gives responses again, exactly as a read of the database would give them. Each step contributes
// what it knows of their dependencies: a caller's permissions and the state of the service are part
// of the key, the plan knows the tables, and the tag of the snapshot covers the rest.

namespace fcgi {

// Returns the format of entries that a request asks for. Strapi 5.54: `Strapi-Response-Format: v4`,
// and nothing but that, asks for entries as Strapi 4 has them.
db::ReadPlan::Format document_format(Request const& request, Options const& options);

// Returns the cached response to an equal request, if it is the one that would be made now. Asks
// nobody and does not wait. One that is worth packing is packed first if the caller `has_time`, and
// is not found otherwise.
std::optional<Answer> find_kept(Service& service, Request const& request, Trace& trace,
                                bool has_time);

// Does the same for a thread that has no time, and dresses the response for the request. Returns
// false if a worker has to answer it.
bool answer_kept(Service& service, Request const& request, Response& response);

// Stores a response, if changes in all that it was read from are reported. Makes its entity tag,
// and its tag names if the request is from an edge.
void keep(Service& service, Service::State const& state, Request const& request,
          ContentKey const& key, AnswerFacts facts, Answer& answer);

} // namespace fcgi
