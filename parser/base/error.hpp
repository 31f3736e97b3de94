#pragma once

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// What a stage returns instead of its result. All layers use the same type: HTTP decides what it
// means for a client (fcgi/http/representation.hpp), and commands turn it into an exit code.
//
// `message` goes to the client: it names the place in the query and what was expected there, and
// never holds SQL, file names or secrets. `cause` is for the operator: the log, `get` and `explain`
// show it.

namespace parser {

// Code makes decisions by the kind of an error; its text is for people alone.
enum class ErrorKind : std::uint8_t {
    // Errors of the request.
    invalid,            // a value that means nothing, or not at this place
    unknown_name,       // a name that does not exist or may not be used
    invalid_pagination, // Strapi 4.26 has a name of its own for these
    over_limit,
    malformed, // bytes that are not a request
    unauthenticated,
    not_permitted,
    not_found,
    method_not_allowed,
    not_implemented, // a method that Strapi has and this server does not

    // Errors of the moment.
    unavailable,     // overloaded: the same request may succeed in a second
    unreachable,     // the database cannot be reached, or refuses the account
    connection_lost, // to the database, in the middle: another server may respond
    conflict,        // with another transaction: an immediate retry may succeed
    timed_out,

    // Errors of the installation.
    schema_changed, // the tables are not what the schema says
    unsupported,    // the tables belong to a release of the CMS that is not served
    not_granted,    // an account lacks a right, of the database or of the system
    configuration,
    internal,
};

// Returns whether the cause may be gone in a second.
constexpr bool is_of_the_moment(ErrorKind kind) {
    return kind >= ErrorKind::unavailable && kind <= ErrorKind::timed_out;
}

struct Error {
    ErrorKind kind = ErrorKind::internal;
    std::string message = "Internal Server Error";
    std::string cause = {};
    // For tools: where in the query the error is, `populate[author][fields]`, and what was found
    // there; the option whose limit was exceeded. Null, or empty, if it is about something else.
    struct Subject {
        std::string place = {};
        std::string received = {};
        std::string limit = {};
        // What clients get beside the message, as a JSON object; empty: nothing.
        std::string details = {};
    };
    std::shared_ptr<Subject const> subject = {}; // separate, so that errors need little stack
};

template<class T>
using Result = boost::system::result<T, Error>;

// Returns an error with the text of Strapi 4.26 for a name at `where` that does not exist or may
// not be used.
Error invalid_parameter(std::string_view name, std::string_view where);

// Returns an error for an invalid value; `where` is its place, such as `pagination[page]`. There
// is no `received` if the value cannot be shown in a few words.
Error invalid_value(std::string_view where, std::string_view expected);
Error invalid_value(std::string_view where, std::string_view expected, std::string_view received);

// Returns an error with the details that Strapi 5.54 gives for a whole parameter.
Error invalid_in(std::string_view param, std::string message);

// Names the limit that a request exceeded, by its option, and its value.
Error over_limit(std::string_view limit, std::string_view value);

// `cause` is logged; `limit` is the option whose time ran out.
Error unavailable(std::string cause);
Error unreachable(std::string cause);
// The limit is appended to `cause`: `no connection was free within acquire-timeout (2000 ms)`.
Error unavailable(std::string_view limit, std::chrono::milliseconds value, std::string cause);
Error connection_lost(std::string cause); // has the message of unreachable()
Error conflict(std::string cause);        // has the message of unavailable()
Error timed_out(std::string_view limit, std::chrono::milliseconds value, std::string cause);
// The same, for what is refused at once because it would take so long.
Error too_expensive(std::string_view limit, std::chrono::milliseconds value, std::string cause);

[[noreturn]] void throw_exception_from_error(Error const& error, boost::source_location const&);

} // namespace parser
