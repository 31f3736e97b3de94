#pragma once

#include "fcgi/answer/service.hpp"
#include "fcgi/http/answer.hpp"
#include "fcgi/http/http.hpp"
#include "parser/base/error.hpp"

namespace fcgi {

// Returns what /_ready answers: 204 if a request for content could be answered now, with headers
// about hosts and cache; else an error that says to anyone what kind of thing is wrong.
parser::Result<Answer> look_for_readiness(Service& service, Request const& request);

} // namespace fcgi
