#pragma once

#include "db/read/form.hpp"
#include "parser/base/error.hpp"
#include "parser/base/limits.hpp"
#include "parser/base/memory_budget.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// One HTTP exchange, free of FastCGI.

namespace fcgi {

// Where the time of a request goes. Server-Timing, logs and metrics use these names.
enum class RequestStage : std::uint8_t {
    wait,      // in the queue, from the complete request on
    authorize, // the caller and its rights; whether the plan is known
    parse,
    read,
    bind,
    acquire, // a database connection
    execute,
    render, // rows to JSON, and its entity tag
};
inline constexpr std::array<std::string_view, 8> stage_names = {
    "wait", "authorize", "parse", "read", "bind", "acquire", "execute", "render"};

// Reads the clock once for each stage that is entered. A stage that is entered again adds up.
class StageTimes {
  public:
    using Clock = std::chrono::steady_clock;
    using Duration = Clock::duration;

    // Begins in `wait`, at `arrived`.
    StageTimes() : StageTimes(Clock::now()) {}
    explicit StageTimes(Clock::time_point arrived) : arrived_(arrived), last_(arrived) {}

    // Ends the stage before this one.
    void enter(RequestStage stage) {
        stop();
        current_ = stage;
        reached_ |= bit(stage);
    }
    void stop() {
        auto const now = Clock::now();
        spent_[static_cast<std::size_t>(current_)] += now - last_;
        last_ = now;
    }

    // Returns the time of a stage; absent: not reached.
    std::optional<Duration> of(RequestStage stage) const {
        if ((reached_ & bit(stage)) == 0) return std::nullopt;
        return spent_[static_cast<std::size_t>(stage)];
    }
    // Returns the times of the stages that were reached, in their order, with their names.
    std::vector<std::pair<std::string_view, Duration>> reached() const {
        std::vector<std::pair<std::string_view, Duration>> times;
        for (std::size_t i = 0; i < stage_names.size(); ++i)
            if (auto const time = of(RequestStage(i))) times.emplace_back(stage_names[i], *time);
        return times;
    }
    Duration total() const { return last_ - arrived_; } // until the last `enter` or `stop`

  private:
    static unsigned bit(RequestStage stage) { return 1U << static_cast<unsigned>(stage); }

    Clock::time_point arrived_;
    Clock::time_point last_;
    RequestStage current_ = RequestStage::wait;
    unsigned reached_ = bit(RequestStage::wait);
    std::array<Duration, stage_names.size()> spent_{};
};

inline double milliseconds(std::chrono::nanoseconds time) {
    return std::chrono::duration<double, std::milli>(time).count();
}

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
    // The form of the signal that hands this request over (fcgi/http/representation.hpp).
    std::string_view hand_over;
    std::uint64_t number = 0; // unique in this process, for the log
    // Ends with the request limit, counted from `arrived`, or once the client is gone.
    parser::Deadline deadline;
    StageTimes::Clock::time_point arrived = StageTimes::Clock::now(); // when it was complete
    // The epoch of the change log, if that has reported all that happened before this request
    // arrived. 0: it has not, and cannot be used for this request.
    std::uint64_t epoch = 0;
};

// A header that a response can depend on; `request_headers` has them all.
struct RequestHeader {
    char const* parameter; // of FastCGI
    std::string_view name;
    std::string_view Request::* value;
    // Vary names it: a cache uses a stored response for requests that are equal in these.
    bool varies;
};
inline constexpr RequestHeader request_headers[] = {
    {"HTTP_ORIGIN", "Origin", &Request::origin, true},
    {"HTTP_AUTHORIZATION", "Authorization", &Request::authorization, true},
    {"HTTP_STRAPI_RESPONSE_FORMAT", "Strapi-Response-Format", &Request::response_format, true},
    // Only OPTIONS has this, whose responses are not cached.
    {"HTTP_ACCESS_CONTROL_REQUEST_METHOD", "Access-Control-Request-Method",
     &Request::access_control_request_method, false},
    // Caches answer this from their entries.
    {"HTTP_IF_NONE_MATCH", "If-None-Match", &Request::if_none_match, false},
};

// Returns the value of Vary.
std::string const& varying_headers();

// Returns whether they are equal in all that a response depends on, and so get equal responses.
bool ask_the_same(Request const& one, Request const& other);

// What a response is expected to cost the database, before the database is asked. Logs and metrics
// use these names.
enum class Cost : std::uint8_t {
    cheap,     // requests of its kind take little time, or it is made without a plan
    unknown,   // the first of its kind, or of a kind that takes little time or much
    expensive, // requests of its kind take much time, or the first is estimated to
};
inline constexpr std::array<std::string_view, 3> cost_names = {"cheap", "unknown", "expensive"};

inline std::string_view name_of(Cost cost) {
    return cost_names[static_cast<std::size_t>(cost)];
}

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

// Why a request is handed over. Logs and metrics use these names.
enum class HandOver : std::uint8_t {
    none,           // the client gets the response that was made
    unknown_caller, // another program may know the token: the CMS gave out those of sessions
    not_found,      // a route or type with code of its own, a missing entry, or a longer list
    database,       // it cannot be used
    error,          // of this program
};
inline constexpr std::array<std::string_view, 5> hand_over_names = {
    "none", "unknown-caller", "not-found", "database", "error"};

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

// The bytes of a response: in a buffer of its own, which is used again, or bytes that many share
// and nobody changes.
class Body {
  public:
    Body() = default;
    explicit Body(std::shared_ptr<std::string const> shared) : shared_(std::move(shared)) {}

    std::string_view bytes() const { return shared_ ? std::string_view(*shared_) : own_; }
    std::size_t size() const { return bytes().size(); }
    bool empty() const { return bytes().empty(); }

    // Returns the buffer to write to. Shared bytes are dropped.
    std::string& own() {
        shared_.reset();
        return own_;
    }
    // Empties the body, and keeps the buffer.
    void clear() { own().clear(); }
    // Frees a buffer of more than `limit` bytes.
    void shrink_to(std::size_t limit) {
        if (own_.capacity() > limit) std::string().swap(own_);
    }

  private:
    std::string own_;
    std::shared_ptr<std::string const> shared_;
};

// A response as one request gets it (fcgi/http/representation.hpp). A worker uses it again from
// request to request: `clear()` keeps the buffers.
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
