#pragma once

#include "fcgi/http/body.hpp"
#include "fcgi/http/cost.hpp"
#include "fcgi/http/stage_times.hpp"
#include "parser/base/deadline.hpp"
#include "parser/base/error.hpp"
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

// Views into the FastCGI parameters; valid until it is answered.
struct Request {
    std::string_view method;
    std::string_view path;  // of the target: raw bytes without the query string
    std::string_view query; // raw bytes after the first `?`; empty if there is none
    std::string_view authorization;
    std::string_view origin;
    std::string_view access_control_request_method;
    std::string_view if_none_match;
    // Only an answer that was kept may be packed, and such goes to one client alone.
    std::string_view accept_encoding;
    std::string_view response_format; // of Strapi 5: `v4` asks for entries with attributes
    std::uint64_t number = 0;         // of all in this process: for the log
    // The request limit counted from the moment it was complete, or until its client is gone.
    parser::Deadline deadline;
    StageTimes::Clock::time_point arrived = StageTimes::Clock::now(); // when it was complete
    // Of the change log, which was seen to tell of all that happened before this request arrived.
    // 0: it was not, and what is kept by it is of no use.
    std::uint64_t epoch = 0;
};

// What became of a request in the cache of answers.
enum class CacheUse : std::uint8_t {
    none,       // it has none, or not of such requests
    bypass,     // nobody could tell in time what changed
    miss,       // there was no such answer
    table,      // a table changed that it was read from
    all_tables, // a statement that may have changed any
    epoch,      // it was of another epoch of the change log
    hit,
};
inline constexpr std::array<std::string_view, 7> cache_use_names = {
    "none", "bypass", "miss", "table", "all_tables", "epoch", "hit"};

// What logs and metrics tell of an answer besides itself.
struct Trace {
    StageTimes times;
    std::string type;   // UID of the content type that was asked for; empty: of none
    std::string limit;  // the option whose limit it was refused for
    std::string reason; // of 401 and 403: why; for the operator, not the client
    std::size_t statements = 0;
    std::uint64_t rows = 0; // that the statements gave
    // Of the statements, those that were not in their usual form (db/select/form.hpp), and those of
    // them that were given up for it.
    std::size_t probes = 0;
    std::size_t branches = 0;
    std::size_t given_up = 0;
    std::optional<bool> plan_known = {}; // from an earlier request; absent: it came to no plan
    Cost cost = Cost::cheap;
    CacheUse cache = CacheUse::none;
};

using Headers = std::vector<std::pair<std::string_view, std::string>>;

// An answer as one request gets it (fcgi/http/answer.hpp). Reused from request to request by a
// worker: `clear()` keeps the buffers.
struct Response {
    int status = 200;
    // Status, Content-Length and what all answers have are added when it is sent.
    Headers headers;
    Body body;
    // HEAD: send the headers and the Content-Length of `body`, but not `body`.
    bool headers_only = false;
    Trace trace;
    // What is held for it: rows while it is made, then the body.
    parser::MemoryShare memory;

    void clear() {
        status = 200;
        headers.clear();
        body.clear();
        headers_only = false;
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

// "Not Found" for 404; empty for a status without a name in RFC 9110.
std::string_view reason_phrase(int status);

} // namespace fcgi
