#pragma once

#include "fcgi/http/caching.hpp"
#include "fcgi/http/cors.hpp"
#include "fcgi/http/http.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

// A response is made in two steps: an Answer, which does not depend on the request, and the
// Response that one request gets of it.

namespace fcgi {

// The part of a response that is the same for all callers that may get it. It is made once, for
// example from a plan and its rows, and then becomes the response to any number of requests.
struct Answer {
    int status = 200;
    std::string_view media_type = "application/json; charset=utf-8"; // empty: there is no body
    Headers headers = {}; // besides those that dress() adds
    Body body = {};
    // Cache-Control for requests without credentials (fcgi/http/caching.hpp); absent: none is sent
    // to anyone.
    std::optional<std::string_view> cache_directives = {};
    std::string entity_tag = {}; // of the body; empty: not made yet
    // The names of what it depends on, for a cache in front; null or empty: that is not to store
    // it.
    std::shared_ptr<std::string const> tag_names = {};
    bool is_partial = false; // the CMS may know more: it responds where requests are handed over
};

// Returns the answer to a failed request, in the envelope of Strapi 4.26 and 5.54:
// {"data":null,"error":{"status","name","message","details":{}}}
Answer error_answer(parser::Error const& error);

// Returns the answer to OPTIONS: to browsers that ask for permission, and to others as in Strapi
// 4.26.
Answer options_answer(Request const& request, CorsRules const& rules);

// Makes the entity tag of an answer with a body, unless it has one.
void add_entity_tag(Answer& answer);

struct Dress {
    CorsRules const& cors;
    bool server_timing = false;
    bool packs = false;                  // responses may be packed for clients that take them so
    std::string_view surrogate_key = {}; // the header with tag names; outlives the responses
};

// Makes the response to one request from an answer: a body that the client has already is not sent
// again (304), nor any body to HEAD; cross-origin headers, Vary, Server-Timing and what a cache in
// front is told are added. Ends the times in `response.trace`.
void dress(Answer answer, Request const& request, Dress const& rules, Response& response);

// Notes in `trace` why the request failed.
void note_failure(parser::Error const& error, Trace& trace);

// Hands a request over whose answer is an error or partial, if the CMS may know the response and
// the web server says how. Returns whether it did: then nothing may be added to the response.
bool hand_over(parser::ErrorKind failure, Request const& request, Response& response);

// Makes the response to a request that was not handled, without the headers that dress() adds for
// clients. Hands it over where hand_over() does.
void write_error(parser::Error const& error, Request const& request, Response& response);

} // namespace fcgi
