#include "fcgi/commands/commands.hpp"

#include "db/select/plan_dump.hpp"
#include "fcgi/answer/handle_request.hpp"
#include "fcgi/http/route.hpp"
#include "parser/query_tree.hpp"

#include <iostream>

namespace fcgi {

namespace {

ExitCode exit_code(parser::ErrorKind kind) {
    using enum parser::ErrorKind;
    switch (kind) {
    case unavailable:
    case conflict:
    case timed_out:
        return exit_database;
    case schema_changed:
    case not_granted:
    case configuration:
        return exit_configuration;
    case invalid:
    case unknown_name:
    case invalid_pagination:
    case over_limit:
    case malformed:
    case unauthenticated:
    case not_permitted:
    case not_found:
    case method_not_allowed:
    case not_implemented:
    case internal:
        break;
    }
    return exit_failed;
}

} // namespace

int fail(std::string const& message, int code) {
    std::cerr << message << '\n';
    return code;
}

int fail(parser::Error const& error) {
    std::cerr << error.message << '\n';
    if (!error.cause.empty()) std::cerr << error.cause << '\n';
    return exit_code(error.kind);
}

Response answer_get(Service& service, std::string_view path, std::string const& bearer,
                    Workings& workings, Wanted wanted) {
    auto const target = split_target(path);
    std::string const authorization = bearer.empty() ? std::string() : "Bearer " + bearer;
    Request request;
    request.method = "GET";
    request.authorization = authorization;
    request.path = target.path;
    request.query = target.query;
    request.deadline.at = parser::Deadline::Clock::now() + service.options().limits.request;
    Response response;
    handle_request(service, request, response, workings, wanted);
    return response;
}

int run_parse(Options const& options) {
    if (options.arguments[0] != "-") {
        std::cout << parser::dump(parser::parse_query_string(options.arguments[0])) << '\n';
        return exit_ok;
    }
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);)
        std::cout << parser::dump(parser::parse_query_string(line)) << '\n';
    return exit_ok;
}

namespace {

// Why the answer is what it is, for the operator alone: clients are not told.
void tell_why(std::string const& path, Response const& response, Workings const& workings,
              Options const& options) {
    std::string why = workings.error ? workings.error->cause : std::string();
    if (response.status == 404 && workings.state)
        why = workings.plan
                  ? "no entry is there that the caller may see"
                  : why_unknown(split_target(path).path, options.prefix, *workings.state->schema);
    if (!why.empty()) std::cerr << "reason: " << why << '\n';
}

} // namespace

int run_get(Options const& options) {
    auto const service = Service::create(options);
    if (!service) return fail(service.error());
    Workings workings;
    auto const response =
        answer_get(**service, options.arguments[0], options.bearer, workings, Wanted::answer);
    std::cout << response.body;
    std::cerr << response.status << ' ' << reason_phrase(response.status) << '\n';
    tell_why(options.arguments[0], response, workings, options);
    return response.status < 400 ? exit_ok : exit_failed;
}

int run_explain(Options const& options) {
    auto const service = Service::create(options);
    if (!service) return fail(service.error());
    Workings workings;
    auto const response =
        answer_get(**service, options.arguments[0], options.bearer, workings, Wanted::explanation);
    std::cout << "tree " << parser::dump(workings.tree) << '\n';
    std::cout << "query " << parser::dump(workings.query) << '\n';
    if (workings.plan) std::cout << db::dump(*workings.plan);
    for (db::SentStatement const& statement : workings.sent) {
        std::cout << "statement ";
        if (statement.node)
            std::cout << *statement.node;
        else
            std::cout << "total";
        std::cout << ' ' << statement.rows << " rows " << statement.duration.count() / 1'000
                  << " us " << db::readable(statement.sql) << '\n';
    }
    std::cout << "status " << response.status << ", " << response.body.size() << " bytes\n";
    if (response.status >= 400) std::cout << response.body << '\n';
    tell_why(options.arguments[0], response, workings, options);
    return response.status < 400 ? exit_ok : exit_failed;
}

} // namespace fcgi
