#pragma once

#include "fcgi/process/log.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string_view>
#include <variant>

// Events that an operator may want to know of. The code that sees one happen reports it, once, and
// knows nothing of logs and metrics, which are consumers of events (fcgi/metrics).

namespace fcgi {

struct Request;
struct RequestContext;
struct RequestHead;
struct Response;
struct Trace;

enum class MetricKind : std::uint8_t {
    counter,
    histogram, // for each label a count per bucket, and the sum in nanoseconds
    gauge,
};

struct EventRow {
    std::string_view id;
    LogLevel level = LogLevel::info;
    bool is_limited = false; // the same line is written once a second at most
    // The message of the line, where % stands for the next word and # for the number; what is in
    // brackets is left out if its word is empty. Empty: there is no line.
    std::string_view text = {};
    // A counter grows by the event's number, a gauge becomes it. Events may share one. Empty: none.
    std::string_view metric = {};
    MetricKind kind = MetricKind::counter;
    std::string_view help = {}; // empty: a row above has it
    std::string_view label = {};
};

namespace event {

using enum LogLevel;
using enum MetricKind;
inline constexpr bool always = false, limited = true;

// All events but those of single requests, which are further down. Metrics are reported in this
// order.
inline constexpr EventRow table[] = {
    // The program.
    {"cannot-serve", error, always, "cannot serve: %"},
    {"serving", info, always, "serving at %"},
    {"stopping", info, always, "stopping, requests in flight: #"},
    {"stopped", info, always, "stopped"},
    {"settings-kept", error, always, "kept the old database hosts: %"},
    {"settings-wait", warning, always,
     "these settings have changed and take effect after a restart: %"},

    // The schema, and whether the database fits it. Before the first look it does.
    {"schema-read"}, // when the program starts
    {"reloaded", info, always, "reloaded", "populate_reloads_total", counter,
     "Reloads of the schema: read, or the old one kept, as the new one is unusable.",
     R"(schema="read")"},
    {"reloaded-changed-files", info, always, "reloaded, because the schema files have changed",
     "populate_reloads_total", counter, "", R"(schema="read")"},
    {"schema-kept", error, always, "kept the old schema, because the new one cannot be used: %",
     "populate_reloads_total", counter, "", R"(schema="kept")"},
    {"files-unwatched", warning, always,
     "the schema files cannot be watched and are compared every 5 s instead: %"},
    // The number is that of all files; the word names the first.
    {"description-stale", warning, always,
     "files have changed since the CMS was described, see setup: %", "populate_description_stale",
     gauge, "Files of the project that have changed since the CMS was described."},
    {"description-current", info, always, "", "populate_description_stale", gauge},
    {"left-out", warning, always, "left out: %: %"}, // what is not used of the schema, and why
    {"schema-outdated", warning, limited, "the tables do not match the schema: %",
     "populate_schema_outdated_total", counter,
     "Requests that found tables other than the schema declares."},
    // Names the first of them; the number has each once for each type that needs it.
    {"schema-lacks", error, always, "the database lacks tables or columns that the schema needs: %",
     "populate_schema_lacks", gauge,
     "Tables and columns that content types need and the database lacks."},
    {"schema-complete", info, always, "the database now has everything that the schema needs",
     "populate_schema_lacks", gauge},
    {"indexes-missing", error, always, "indexes are gone, so requests that use them are slow: %",
     "populate_indexes_missing", gauge, "Indexes of the setting indexes that do not exist."},
    {"indexes-unknown", warning, always, "the indexes cannot be compared with the file: %",
     "populate_indexes_missing", gauge},
    {"indexes-complete", info, always, "all indexes of the file exist", "populate_indexes_missing",
     gauge},
    {"release-unknown", warning, always,
     "Strapi % is newer than this program knows, and is served as %", "populate_release_unknown",
     gauge, "1 if the CMS has a newer release than this program knows, else 0."},
    {"release-known", info, always, "", "populate_release_unknown", gauge},

    // Requests. The word is what an exception says.
    {"request-failed", error, always, "could not handle a request: %"},
    {"error-response-failed", error, always, "could not send an error response: %"},
    {"request-refused", warning, limited, "refused a request: %"}, // memory ran out
    {"requests-cut-off", warning, limited, "requests cut off: #", "populate_requests_cut_off_total",
     counter, "Requests that were neither answered nor refused in time."},

    // Clients.
    {"sending-responses", info, always, "", "populate_sending_answers", gauge,
     "Responses that clients read slowly; they hold no worker."},
    {"sending-bytes", info, always, "", "populate_sending_bytes", gauge,
     "Bytes not sent yet of the responses that clients read slowly."},
    {"client-cut-off", warning, limited, "cut off a client that did not read its response",
     "populate_unread_answers_total", counter,
     "Responses cut off because their clients did not read them."},
    {"client-cut-off-for-memory", warning, limited,
     "cut off a client that did not read its response, because memory is short",
     "populate_unread_answers_total", counter},
    {"accept-failed", error, limited, "cannot accept connections: %",
     "populate_accept_failures_total", counter, "Failures to accept a connection."},
    // Or they had sent half a request.
    {"idle-closed", warning, limited,
     "closed idle connections to accept new ones, because no file descriptors were left",
     "populate_idle_closes_total", counter, "Idle connections closed to accept new ones."},
    {"host-refused", warning, limited, "refused a connection from %: listen-allow does not name it",
     "populate_refused_hosts_total", counter,
     "Connections refused because listen-allow does not name their address."},

    // The database.
    {"database-silent", error, always, "the database does not answer yet: %"},
    {"database-away"}, // requests log the reason
    {"database-back", info, limited, "the database answers again"},
    // Says why one of them was, with the fix.
    {"connections-refused", warning, limited, "connections: %, of which the database grants #: %"},
    {"database-host-left-out", warning, limited, "database host % is not used: it %",
     "populate_database_hosts_left_out", gauge, "Database hosts that are not used now."},
    {"database-host-used", info, limited, "database host % is used",
     "populate_database_hosts_left_out", gauge},

    // The cache. The last word is the fix.
    {"cache-began", info, always, "the cache begins: following the binlog of %"},
    {"cache-ended", warning, limited, "the cache is off for now: %[; %]"},
    // What is wrong, and what the database said: if it did, that and the fix have names.
    {"cache-refused", warning, always, "the cache is off: %[: %][; %]"},
    {"cache-voided", warning, always,
     "statements invalidate the whole cache more than once a second, the last: %[; %]"},
};

} // namespace event

// Names a row of the table; another name does not compile.
class EventId {
  public:
    consteval EventId(char const* name)
        : index_(static_cast<std::size_t>(std::ranges::find(event::table, name, &EventRow::id) -
                                          event::table)) {
        if (index_ == std::size(event::table)) throw "the table has no such row";
    }
    std::size_t index() const { return index_; }
    EventRow const& row() const { return event::table[index_]; }
    bool operator==(EventId const&) const = default;

  private:
    std::size_t index_;
};

// Views and references in events are valid only while the observer is called.

// An event of the table.
struct Notice {
    EventId id;
    std::array<std::string_view, 3> words = {}; // for their places in the text
    std::size_t number = 1;                     // counted by its metric
};

// A request went through all stages, or as far as it got.
struct RequestHandled {
    RequestHead const* head; // null: it came by HTTP
    Request const& request;
    RequestContext const& context;
    Trace const& trace; // at its end
};

// A response was sent, or could no longer be sent.
struct ResponseSent {
    RequestHead const& head;
    Response const& response;
    std::uint64_t number;                      // of the request
    bool coalesced;                            // it was made for an equal request
    std::chrono::steady_clock::duration total; // since the request was complete
    std::size_t unsent; // bytes of the response, in records: the client left or was cut off
};

using Event = std::variant<Notice, RequestHandled, ResponseSent>;

// Called in the thread that saw the event, which may be any. It does not throw and returns soon.
using Observer = std::function<void(Event const&)>;

} // namespace fcgi
