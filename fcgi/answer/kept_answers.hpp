#pragma once

#include "fcgi/access/content_key.hpp"
#include "fcgi/answer/service.hpp"
#include "fcgi/http/answer.hpp"
#include "fcgi/http/http.hpp"

#include <optional>

// Answers that are given again, exactly as a reading of the database would give them. What they
// depend on is told at each of these steps, by who knows it: a caller's permissions and the state
// of the service are part of their key, tables are told by the plan, and the rest by the tag of the
// snapshot.

namespace fcgi {

// The shape of entries that a request asks for. Strapi 5.54: `Strapi-Response-Format: v4`, and
// nothing but that, asks for entries as Strapi 4 has them.
db::ReadPlan::Format document_format(Request const& request, Options const& options);

// The answer that was kept of an equal request, if it is as one that would be made now. Asks nobody
// and does not wait. One that is worth packing is packed first where there is `time`, and else not
// found.
std::optional<Answer> find_kept(Service& service, Request const& request, Trace& trace,
                                bool has_time);

// As find_kept(), for a thread that has no time, and dressed for the request. False: a worker has
// to answer it.
bool answer_kept(Service& service, Request const& request, Response& response);

// Keeps an answer, if there is somebody to tell of changes in all that it was read from. Its tag is
// made.
void keep(Service& service, Service::State const& state, ContentKey const& key,
          Origin const& origin, std::string_view uid, Answer& answer);

} // namespace fcgi
