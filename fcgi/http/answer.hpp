#pragma once

#include "fcgi/http/caching.hpp"
#include "fcgi/http/cors.hpp"
#include "fcgi/http/http.hpp"

#include <optional>
#include <string>
#include <string_view>

// An answer is made in two steps: what is answered, free of the request, and what one request makes
// of it.

namespace fcgi {

// What is answered, whoever asks: made once, of a plan and its rows, say, and then the answer of as
// many requests as may have it.
struct Answer {
    int status = 200;
    std::string_view media_type = "application/json; charset=utf-8"; // empty: there is no body
    Headers headers = {};                                            // of its own
    Body body = {};
    // What caches may do with it where nobody is named (fcgi/http/caching.hpp); absent: they are
    // told nothing.
    std::optional<std::string_view> cache_directives = {};
    std::string entity_tag = {}; // of the body; empty: not made yet
};

// Of a failed request, in the envelope of Strapi 4.26 and 5.54:
// {"data":null,"error":{"status","name","message","details":{}}}
Answer error_answer(parser::Error const& error);

// Of OPTIONS: to browsers that ask for leave, and to others as Strapi 4.26 answers them.
Answer options_answer(Request const& request, CorsRules const& rules);

// Makes the tag of an answer with a body, unless it has it.
void add_entity_tag(Answer& answer);

struct Dress {
    CorsRules const& cors;
    bool server_timing = false;
    bool packs = false; // answers may come packed to those who take them so
};

// Makes the response to one request of an answer: what its client has already is not sent again
// (304), nor a body to HEAD; cross-origin headers, Vary and Server-Timing are added. Ends the times
// in `response.trace`.
void dress(Answer answer, Request const& request, Dress const& rules, Response& response);

// The response to what no worker heard of, and is dressed for nobody.
void write_error(parser::Error const& error, Response& response);

} // namespace fcgi
