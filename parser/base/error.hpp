#pragma once

#include <boost/system/result.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

// What a stage answers instead of its result. One shape for every layer, since every error ends as
// the same JSON envelope.
//
// `message` goes to the client: it names the place in the query and what was expected there, and
// never holds SQL, file names or secrets. `cause` is for the operator: the log, `get`, `explain`.

namespace parser {

struct Error {
    int status = 500;
    std::string name = "InternalServerError";
    std::string message = "Internal Server Error";
    std::string cause = {};
    // Strapi 4.26 sends `"details":{}` with every error but two: 500 and the undecodable path.
    bool has_details = true;
    // Seconds for Retry-After; 0 sends none.
    unsigned retry_after = 0;
    // What could make the same request succeed at once, unseen by the client.
    enum class Retry : unsigned char {
        never,
        as_it_is,        // it lost against another transaction
        with_new_schema, // the tables are not what the schema said
    };
    Retry retry = Retry::never;
    // For tools. Where in the query it is, `populate[author][fields]`, and what was found there;
    // the option whose limit was passed. Null, or empty, where the error is about something else.
    struct Subject {
        std::string place = {};
        std::string received = {};
        std::string limit = {};
    };
    std::shared_ptr<Subject const> subject = {}; // apart, so that errors take little of a stack
};

template<class T>
using Result = boost::system::result<T, Error>;

// 400 with the text the reference uses for a name that does not exist or may not be used, and that
// stands at `where`.
Error invalid_parameter(std::string_view name, std::string_view where);

// 400 for a value that cannot mean anything: `where` is its place, `pagination[page]`.
Error invalid_value(std::string_view where, std::string_view expected, std::string_view received);

// 400 naming the limit that a request went over, by its option, and its value.
Error over_limit(std::string_view limit, std::string_view value);

// 503 with Retry-After, or 504 naming the limit of time that ran out. `cause` is logged.
Error unavailable(std::string cause);
Error timed_out(std::string_view limit, std::chrono::milliseconds value, std::string cause);

[[noreturn]] void throw_exception_from_error(Error const& error, boost::source_location const&);

} // namespace parser
