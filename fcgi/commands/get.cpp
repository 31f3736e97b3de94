#include "fcgi/commands/get.hpp"

#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/why_unknown.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"

#include <iostream>

namespace fcgi {

std::shared_ptr<Asked const> declare_asked(CommandLine command) {
    auto asked = std::make_shared<Asked>();
    command.words("path", asked->paths, "path with query string");
    command.option("--bearer", asked->bearer, "JWT or API token of the caller");
    return asked;
}

void answer_get(Service& service, Asked const& asked, Response& response, RequestContext& context) {
    auto const target = split_target(asked.paths[0]);
    std::string const authorization =
        asked.bearer.empty() ? std::string() : "Bearer " + asked.bearer;
    Request request;
    request.method = "GET";
    request.authorization = authorization;
    request.path = target.path;
    request.query = target.query;
    request.deadline.at = parser::Deadline::Clock::now() + service.options().limits.request;
    handle_request(service, request, response, context);
}

void tell_why(Asked const& asked, Response const& response, RequestContext const& context,
              Options const& options) {
    std::string why = context.error ? context.error->cause : std::string();
    if (response.status == 404 && context.state)
        why = context.plan ? "there is no such entry, or the caller may not see it"
                           : why_unknown(split_target(asked.paths[0]).path, options.prefix,
                                         *context.state->schema);
    if (!why.empty()) std::cerr << "reason: " << why << '\n';
}

namespace {

int run_get(Asked const& asked, Options const& options) {
    auto const service = Service::create(options);
    if (!service) return fail(service.error());
    Response response;
    RequestContext context;
    answer_get(**service, asked, response, context);
    std::cout << response.body.bytes();
    std::cerr << response.status << ' ' << reason_phrase(response.status) << '\n';
    tell_why(asked, response, context, options);
    return response.status < 400 ? exit_ok : exit_failed;
}

} // namespace

Run declare_get(CommandLine command) {
    return [asked = declare_asked(command)](Options const& options) {
        return run_get(*asked, options);
    };
}

} // namespace fcgi
