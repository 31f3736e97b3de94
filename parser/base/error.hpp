#pragma once

#include <boost/system/result.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

// What a stage gives instead of its result. One shape for every layer: what it means for a client
// is for HTTP to say (fcgi/http/error_status.hpp), and for an operator's script the exit code.
//
// `message` goes to the client: it names the place in the query and what was expected there, and
// never holds SQL, file names or secrets. `cause` is for the operator: the log, `get`, `explain`.

namespace parser {

// What decisions are made by. The text of an error is for people alone.
enum class ErrorKind : std::uint8_t {
    // Of the request.
    invalid,            // a value that means nothing, or not at this place
    unknown_name,       // a name that does not exist or may not be used
    invalid_pagination, // Strapi 4.26 has a name of its own for these
    over_limit,
    malformed, // bytes that are no request
    unauthenticated,
    not_permitted,
    not_found,
    method_not_allowed,
    not_implemented, // of methods that Strapi has and this does not

    // Of the moment.
    unavailable,     // too much to do: the same may be answered in a second
    unreachable,     // the database is away, or refuses the account
    connection_lost, // the database's, in the middle: another server may answer
    conflict,        // it lost against another transaction: the same at once may succeed
    timed_out,

    // Of the installation.
    schema_changed, // the tables are not what the schema says
    unsupported,    // the tables are of a release of the CMS that is not served
    not_granted,    // an account lacks a right, of the database or of the system
    configuration,
    internal,
};

// What caused it may be gone in a second.
constexpr bool is_of_the_moment(ErrorKind kind) {
    return kind >= ErrorKind::unavailable && kind <= ErrorKind::timed_out;
}

struct Error {
    ErrorKind kind = ErrorKind::internal;
    std::string message = "Internal Server Error";
    std::string cause = {};
    // For tools. Where in the query it is, `populate[author][fields]`, and what was found there;
    // the option whose limit was passed. Null, or empty, where the error is about something else.
    struct Subject {
        std::string place = {};
        std::string received = {};
        std::string limit = {};
        // What clients are told of it beside the message, as a JSON object; empty: nothing.
        std::string details = {};
    };
    std::shared_ptr<Subject const> subject = {}; // apart, so that errors take little of a stack
};

template<class T>
using Result = boost::system::result<T, Error>;

// With the text of Strapi 4.26 for a name that does not exist or may not be used, and that stands
// at `where`.
Error invalid_parameter(std::string_view name, std::string_view where);

// Of a value that cannot mean anything: `where` is its place, `pagination[page]`. Without
// `received` it is one that can't be shown in a few words.
Error invalid_value(std::string_view where, std::string_view expected);
Error invalid_value(std::string_view where, std::string_view expected, std::string_view received);

// With the details that Strapi 5.54 gives of a whole parameter.
Error invalid_in(std::string_view param, std::string message);

// Names the limit that a request went over, by its option, and its value.
Error over_limit(std::string_view limit, std::string_view value);

// `cause` is logged; `limit` is the option of the time that ran out.
Error unavailable(std::string cause);
Error unreachable(std::string cause);
// `cause` and what was waited for in vain: `no connection was free within acquire-timeout (2000
// ms)`.
Error unavailable(std::string_view limit, std::chrono::milliseconds value, std::string cause);
Error connection_lost(std::string cause); // for clients the same
Error conflict(std::string cause);        // likewise
Error timed_out(std::string_view limit, std::chrono::milliseconds value, std::string cause);

[[noreturn]] void throw_exception_from_error(Error const& error, boost::source_location const&);

} // namespace parser
