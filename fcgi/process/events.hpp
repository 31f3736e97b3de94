#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
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

// Views and references are valid only while the observer is called.
namespace event {

// A request went through all stages, or as far as it got.
struct Handled {
    RequestHead const* head; // null: it came by HTTP
    Request const& request;
    RequestContext const& context;
    Trace const& trace; // at its end
};

// A response was sent, or could no longer be sent.
struct Answered {
    RequestHead const& head;
    Response const& response;
    std::uint64_t number;                      // of the request
    bool shared;                               // it was made for an equal request
    std::chrono::steady_clock::duration total; // since the request was complete
    std::size_t unsent; // bytes of the response, in records: the client left or was cut off
};

// An exception was thrown, most likely because memory ran out.
struct Threw {
    enum class While : std::uint8_t { starting, answering, apologising };
    While during;
    std::string_view why;
};

// Addresses have the form that they have in options; empty: none.
struct Starting {
    std::string_view project;
    std::string_view database; // its hosts
    std::string_view listen;
    std::string_view metrics;
};
struct Serving {
    std::string_view address;
};
struct AcceptFailed {
    int error; // errno
};
// Connections that were idle, or had sent half a request, were closed for new ones, since no
// descriptors were left.
struct IdleClosed {
    std::size_t connections;
};
struct HeadRefused { // a request was refused before a worker had it: memory ran out
    std::string_view why;
};
struct HostRefused { // a peer that may not connect
    std::string_view address;
};
struct Stopping {
    std::size_t in_flight; // requests
};
struct CutOff {
    std::size_t requests; // not answered by the deadline or drain-timeout, nor refused
};
struct Stopped {};
// The responses that clients of this process are slow to take, at this moment.
struct Sending {
    std::size_t answers;
    std::size_t bytes; // not sent yet
};
// A client took nothing of its response for so long that its connection was closed.
struct Unread {
    bool memory_is_short; // else write-timeout has passed
};

struct SchemaRead {
    enum class Cause : std::uint8_t { started, asked, files_changed };
    Cause cause;
};
struct FilesUnwatched {    // deploys are noticed later there
    std::string_view what; // path and reason
};
// The CMS has a newer release than any known one and is served as the newest; or no longer has.
struct ReleaseUnknown {
    std::string_view release; // empty: it is known
    std::string_view newest;  // the newest release that is known
};
struct SchemaKept { // the new one cannot be served, so the old one stays
    std::string_view why;
};
struct LeftOut { // a part of the schema or of its settings is not used
    std::string_view what;
    std::string_view why;
};
// A request found that the tables are not what the schema says.
struct SchemaOutdated {
    std::string_view why;
};
// What the database lacks of the schema has changed; before the first check it counts as nothing.
struct SchemaLacks {
    std::size_t count;     // tables and columns, once for each type that needs them; 0: none now
    std::string_view what; // the first of them
};
// The indexes that should exist were looked at, with another outcome than before. Before the first
// look none is missing.
struct IndexesMissing {
    std::size_t count;
    std::string_view what; // their names, or why they cannot be compared
};
struct DatabaseSilent { // the database does not answer when the program starts
    std::string_view why;
};
// A request found that no host of the database gives a connection, or that one does again.
struct DatabaseAway {
    bool is_away;
};
// The database grants fewer connections than are set, so no more are used for now.
struct ConnectionsRefused {
    std::size_t granted;
    std::size_t wanted;
    std::string_view why; // of one that was refused, with the fix
};
// This process no longer reads from a host of the database, or does so again.
struct HostChanged {
    std::string_view host;
    std::string_view why; // why it does not; empty: it does
    std::size_t left_out; // hosts that it does not read from now
};
struct OptionsWait { // some have changed, and take effect only after a restart
    std::string_view names;
};
struct OptionsKept { // the reloaded ones cannot be used, so the old ones stay
    std::string_view what;
};

// Events of the cache. `fix` says how to fix the problem and may be empty.
struct CacheBegan { // the binlog is followed from now on
    std::string_view server;
};
struct CacheEnded { // the binlog is not followed until the cache begins again
    std::string_view why;
    std::string_view fix;
};
struct CacheRefused { // the cache cannot begin
    std::string_view what;
    std::string_view fix;
    std::string_view detail = {}; // what the database said; if it is set, it and `fix` have names
};
struct CacheVoided { // statements on unknown tables invalidate it more than once a second
    std::string_view first_word; // of the last such statement
    std::string_view fix;
};

} // namespace event

using Event =
    std::variant<event::Handled, event::Answered, event::Threw, event::Starting, event::Serving,
                 event::AcceptFailed, event::IdleClosed, event::HeadRefused, event::HostRefused,
                 event::Stopping, event::CutOff, event::Stopped, event::Sending, event::Unread,
                 event::SchemaRead, event::FilesUnwatched, event::SchemaKept, event::LeftOut,
                 event::SchemaOutdated, event::SchemaLacks, event::IndexesMissing,
                 event::ReleaseUnknown, event::DatabaseSilent, event::DatabaseAway,
                 event::ConnectionsRefused, event::HostChanged, event::OptionsWait,
                 event::OptionsKept, event::CacheBegan, event::CacheEnded, event::CacheRefused,
                 event::CacheVoided>;

// Called in the thread that saw the event, which may be any. It does not throw and returns soon.
using Observer = std::function<void(Event const&)>;

} // namespace fcgi
