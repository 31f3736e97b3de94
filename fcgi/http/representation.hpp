#pragma once

#include "fcgi/http/http.hpp"
#include "fcgi/http/response_headers.hpp"
#include "parser/base/error.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

// A response is made in two steps: a Representation, which does not depend on the request, and the
// Response that one request gets of it.

namespace fcgi {

// What RFC 9110, section 3.2, calls a representation, with its status: the part of a response that
// is the same for all callers that may get it. It is made once, for example from a plan and its
// rows, and then becomes the response to any number of requests.
struct Representation {
    int status = 200;
    std::string_view media_type = "application/json; charset=utf-8"; // empty: there is no body
    Headers headers = {}; // besides those that write_response() adds
    Body body = {};
    // Cache-Control for requests without credentials (fcgi/http/response_headers.hpp); absent: none
    // is sent to anyone.
    std::optional<std::string_view> cache_directives = {};
    std::string entity_tag = {}; // of the body; empty: not made yet
    // The names of what it depends on, for a cache in front; null or empty: that is not to store
    // it.
    std::shared_ptr<std::string const> tag_names = {};
    bool is_partial = false; // the CMS may know more: it responds where requests are handed over
};

// An error as HTTP and Strapi 4.26 have it.
struct ErrorStatus {
    int status;
    std::string_view name;    // `error.name` of the envelope
    bool has_details = true;  // Strapi sends `"details":{}`, except with BadRequestError and 500
    unsigned retry_after = 0; // seconds; 0 sends none
    // Why the CMS responds instead, if the web server can have it do so. It does not respond to
    // what is wrong with the request, nor to what would take too long: it is slower than this
    // program.
    HandOver handed_over = HandOver::none;
};

ErrorStatus error_status(parser::ErrorKind kind);

// Returns the representation for a failed request, in the envelope of Strapi 4.26 and 5.54:
// {"data":null,"error":{"status","name","message","details":{}}}
Representation error_representation(parser::Error const& error);

// Returns the representation for OPTIONS: to browsers that ask for permission, and to others as in
// Strapi 4.26.
Representation options_representation(Request const& request, CorsRules const& rules);

// Makes the entity tag of a representation with a body, unless it has one.
void add_entity_tag(Representation& representation);

struct ResponseRules {
    CorsRules const& cors;
    bool server_timing = false;
    bool packs = false;                  // responses may be packed for clients that take them so
    std::string_view surrogate_key = {}; // the header with tag names; outlives the responses
};

// Makes the response to one request from a representation: a body that the client has already is
// not sent again (304), nor any body to HEAD; cross-origin headers, Vary, Server-Timing and what a
// cache in front is told are added. Ends the times in `response.trace`.
void write_response(Representation representation, Request const& request,
                    ResponseRules const& rules, Response& response);

// Notes in `trace` why the request failed.
void note_failure(parser::Error const& error, Trace& trace);

// Hands a request over to the CMS whose response is an error or partial, if the CMS may know the
// response and the web server says how. Returns whether it did: then nothing may be added to the
// response.
//
// This program answers such a request with a signal, and the web server that sees it lets the CMS
// respond. No status does that, so that those which the web server or the CMS give by themselves
// start nothing.
//
// The web server names the form of the signal that it acts on in the FastCGI parameter
// POPULATE_HAND_OVER, which no client can set: names of a client's headers begin with HTTP_.
//
//     POPULATE_HAND_OVER      the signal
//     /a/uri or @location     X-Accel-Redirect with this value (nginx)
//     three digits            this status (Apache)
//     a header's name         that header, with the value `yes` (Caddy)
//
// Without the parameter, or with a value that is none of these, nothing is handed over: the client
// gets the error.
bool hand_over(parser::ErrorKind failure, Request const& request, Response& response);

// Makes the response to a request that was not handled, without the headers that write_response()
// adds for clients. Hands it over where hand_over() does.
void write_error(parser::Error const& error, Request const& request, Response& response);

} // namespace fcgi
