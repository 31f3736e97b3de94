#pragma once

#include "db/read/form.hpp"
#include "fcgi/http/body.hpp"
#include "fcgi/http/cost.hpp"
#include "fcgi/http/hand_over.hpp"
#include "fcgi/http/stage_times.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"
#include "parser/base/memory_budget.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// One HTTP exchange, free of FastCGI.

namespace fcgi {

// Holds views into the FastCGI parameters; valid until the request is answered.
struct Request {
    std::string_view method;
    std::string_view path;  // of the target: raw bytes without the query string
    std::string_view query; // raw bytes after the first `?`; empty if there is none
    std::string_view authorization;
    std::string_view origin;
    std::string_view access_control_request_method;
    std::string_view if_none_match;
    // Only a response from the cache may be packed, and it goes to one client alone.
    std::string_view accept_encoding;
    std::string_view response_format; // of Strapi 5: `v4` asks for entries with attributes
    // A cache in front asks, which is to be told what the response depends on. False without the
    // setting surrogate-key.
    bool is_from_edge = false;
    // The form of the signal that hands this request over (fcgi/http/hand_over.hpp).
    std::string_view hand_over;
    std::uint64_t number = 0; // unique in this process, for the log
    // Ends with the request limit, counted from `arrived`, or once the client is gone.
    parser::Deadline deadline;
    StageTimes::Clock::time_point arrived = StageTimes::Clock::now(); // when it was complete
    // The epoch of the change log, if that has reported all that happened before this request
    // arrived. 0: it has not, and cannot be used for this request.
    std::uint64_t epoch = 0;
};

// How a request used the cache of responses.
enum class CacheUse : std::uint8_t {
    none,       // there is no cache, or not of such requests
    bypass,     // it was not known in time what changed
    miss,       // there was no such entry
    table,      // a table that the entry was read from changed
    all_tables, // a statement may have changed any table
    epoch,      // the entry was of another epoch of the change log
    hit,
};
inline constexpr std::array<std::string_view, 7> cache_use_names = {
    "none", "bypass", "miss", "table", "all_tables", "epoch", "hit"};

// What logs and metrics report of a response besides itself.
struct Trace {
    StageTimes times;
    std::string type;   // UID of the requested content type; empty: there is none
    std::string limit;  // option whose limit refused the request
    std::string reason; // why it was refused, or failed; for the operator, not the client
    std::size_t statements = 0;
    std::uint64_t rows = 0; // returned by the statements
    // How many statements were in each of these forms, and how many of them were given up for the
    // usual one.
    std::array<std::size_t, db::other_forms.size()> other_forms{};
    std::size_t given_up = 0;
    std::optional<bool> plan_known = {}; // from an earlier request; absent: there was no plan
    Cost cost = Cost::cheap;
    CacheUse cache = CacheUse::none;
    HandOver handed_over = HandOver::none;
};

using Headers = std::vector<std::pair<std::string_view, std::string>>;

// A response as one request gets it (fcgi/http/answer.hpp). A worker uses it again from request to
// request: `clear()` keeps the buffers.
struct Response {
    int status = 200;
    // Status, Content-Length and what all responses have are added when it is sent.
    Headers headers;
    Body body;
    // HEAD: send the headers and the Content-Length of `body`, but not `body`.
    bool headers_only = false;
    // If the request is handed over: all lines that are sent, in place of status, headers and body.
    std::string hand_over_signal;
    Trace trace;
    // The memory that is held for it: rows while it is made, then the body.
    parser::MemoryShare memory;

    void clear() {
        status = 200;
        headers.clear();
        body.clear();
        headers_only = false;
        hand_over_signal.clear();
        trace = {};
        memory = {};
    }
};

// Path and query of a request target as clients send it: `/path?query`, or the absolute form
// `http://host/path?query` of RFC 9112, whose scheme and host are dropped. So is a fragment.
struct PathAndQuery {
    std::string_view path;
    std::string_view query;
};
PathAndQuery split_target(std::string_view target);

inline constexpr char const* allowed_methods = "GET, HEAD, OPTIONS"; // Allow, in RFC 9110

// Returns "Not Found" for 404; empty for a status that is not in its list.
std::string_view reason_phrase(int status);

} // namespace fcgi
