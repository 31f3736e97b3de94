#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <variant>

#include <sys/types.h>

// What happens that an operator may want to know. Whoever sees it happen says so, once, and knows
// nothing of logs and metrics: these are consumers of events (fcgi/observation).

namespace fcgi {

struct Request;
struct RequestContext;
struct RequestHead;
struct Response;
struct Trace;

// Views and references are valid while the observer is called.
namespace event {

// A request went through the stages, or as far as it came.
struct Handled {
    RequestHead const* head; // null: it came by HTTP
    Request const& request;
    RequestContext const& context;
    Trace const& trace; // at its end
};

// An answer was sent, or could not be any more.
struct Answered {
    RequestHead const& head;
    Response const& response;
    std::uint64_t number;                      // of the request
    bool shared;                               // it was made for an equal request
    std::chrono::steady_clock::duration total; // since the request was complete
    std::size_t unsent; // bytes of it, in records: the client went, or was cut off
};

// Something was thrown, out of memory above all.
struct Threw {
    enum class While : std::uint8_t { starting, answering, apologising };
    While during;
    std::string_view why;
};

// Addresses are as options have them; empty: none.
struct Starting {
    std::string_view project;
    std::string_view database; // of its hosts
    std::string_view listen;
    std::string_view metrics;
};
struct Serving {
    std::string_view address;
};
struct AcceptFailed {
    int error; // errno
};
// Connections that asked for nothing were closed for new ones: there were no descriptors left.
struct IdleClosed {
    std::size_t connections;
};
struct HeadRefused { // a request that no worker hears of, for want of memory
    std::string_view why;
};
struct HostRefused { // may not connect
    std::string_view address;
};
struct Stopping {
    std::size_t in_flight; // requests
};
struct CutOff {
    std::size_t requests; // that were not answered before drain-timeout
};
struct Stopped {};
// Of the answers that their clients are slow to take, in this process by now.
struct Sending {
    std::size_t answers;
    std::size_t bytes; // not sent yet
};
// A client took nothing of its answer for so long that its connection was closed.
struct Unread {
    bool memory_is_short; // or else it was write-timeout that passed
};

struct SchemaRead {
    enum class Cause : std::uint8_t { started, asked, files_changed };
    Cause cause;
};
struct FilesUnwatched {    // a deploy there is noticed later than others
    std::string_view what; // path and reason
};
// The CMS is of a newer release than is known, and is served as the newest that is; or no more.
struct ReleaseUnknown {
    std::string_view release; // empty: it is known
    std::string_view newest;  // that is
};
struct SchemaKept { // the files hold none that can be served
    std::string_view why;
};
struct LeftOut { // of the schema that was read
    std::string_view what;
    std::string_view why;
};
// The tables are not what the schema says: a request found it so.
struct SchemaOutdated {
    std::string_view why;
};
// What the database lacks of the schema is not what it was; at the start: if it lacks anything.
struct SchemaLacks {
    std::size_t count;     // of tables and columns, by each type that needs them; 0: none any more
    std::string_view what; // the first of them
};
struct DatabaseSilent { // at the start
    std::string_view why;
};
// No host of it gives a connection any more, or one does again: a request found it so.
struct DatabaseAway {
    bool is_away;
};
// Of the hosts of the database, in this process.
struct HostChanged { // it is not asked any more, or again
    std::string_view host;
    std::string_view why; // it is not; empty: it is
    std::size_t left_out; // hosts that are not, by now
};
struct OptionsWait { // they are others by now, and only a restart makes them so
    std::string_view names;
};
struct OptionsKept { // what is read anew at a reload cannot be used
    std::string_view what;
};

// Of the cache of answers. Cures say what helps; one may be empty.
struct CacheBegan { // changes are told of from now on
    std::string_view server;
};
struct CacheEnded { // they are not, until it begins again
    std::string_view why;
    std::string_view cure;
};
struct CacheRefused { // it cannot begin
    std::string_view what;
    std::string_view cure;
};
struct CacheVoided { // more than once a second, by statements whose tables nobody can tell
    std::string_view first_word; // of the last one
    std::string_view cure;
};

// Of one of several processes.
struct ProcessEnded {
    pid_t process;
    int status;                      // as waitpid gives it
    std::chrono::milliseconds pause; // until another starts
};
struct ProcessHung { // it is ended
    pid_t process;
};
struct ProcessNotStarted {
    int error; // errno
};

} // namespace event

using Event =
    std::variant<event::Handled, event::Answered, event::Threw, event::Starting, event::Serving,
                 event::AcceptFailed, event::IdleClosed, event::HeadRefused, event::HostRefused,
                 event::Stopping, event::CutOff, event::Stopped, event::Sending, event::Unread,
                 event::SchemaRead, event::FilesUnwatched, event::SchemaKept, event::LeftOut,
                 event::SchemaOutdated, event::SchemaLacks, event::ReleaseUnknown,
                 event::DatabaseSilent, event::DatabaseAway, event::HostChanged, event::OptionsWait,
                 event::OptionsKept, event::CacheBegan, event::CacheEnded, event::CacheRefused,
                 event::CacheVoided, event::ProcessEnded, event::ProcessHung,
                 event::ProcessNotStarted>;

// Called from any thread, by the one that saw it. Does not throw and is soon done.
using Observer = std::function<void(Event const&)>;

} // namespace fcgi
