#include "fcgi/commands/commands.hpp"
#include "fcgi/commands/difference.hpp"
#include "fcgi/commands/get.hpp"
#include "fcgi/commands/reference.hpp"
#include "fcgi/options/command.hpp"
#include "fcgi/options/options.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>

namespace fcgi {

namespace {

using comparison::Difference;
using comparison::Reply;

struct Compared {
    std::string reference; // URL of the CMS
    std::string requests;  // file of paths
    std::string bearer;
};

Reply answer_here(Service& service, Asked const& asked) {
    Response response;
    RequestContext context;
    answer_get(service, asked, response, context);
    auto const type = std::ranges::find(response.headers, std::string_view("Content-Type"),
                                        [](auto const& header) { return header.first; });
    return {response.status, type == response.headers.end() ? "" : type->second,
            std::string(response.body.bytes())};
}

std::optional<Difference> compare(Reply const& there, Reply const& here) {
    if (there.status != here.status)
        return comparison::difference("status", "", std::to_string(there.status) + " " + there.body,
                                      std::to_string(here.status) + " " + here.body);
    if (there.content_type != here.content_type)
        return comparison::difference("content type", "", there.content_type, here.content_type);
    return comparison::compare_bodies(there.body, here.body, comparison::Precision::meaning);
}

void print(std::string const& path, Difference const& difference) {
    std::cout << path << "\n  " << difference.cause << ' ' << difference.where << "\n  there "
              << difference.expected << "\n  here  " << difference.got << '\n';
}

int run_compare(Compared const& wanted, Options const& options) {
    std::ifstream file(wanted.requests);
    bool const is_standard_input = wanted.requests == "-";
    std::istream& requests = is_standard_input ? std::cin : file;
    if (!requests) return fail("cannot read " + wanted.requests, exit_configuration);
    auto reference = comparison::Reference::at(wanted.reference);
    if (!reference) return fail(reference.error());
    auto const service = Service::create(options);
    if (!service) return fail(service.error());

    std::string const authorization =
        wanted.bearer.empty() ? std::string() : "Bearer " + wanted.bearer;
    bool const has_attributes = options.api.document_format == db::ReadPlan::Format::documents;
    std::string_view const response_format = has_attributes ? "v4" : "";
    std::size_t equal = 0;
    std::size_t different = 0;
    for (std::string path; std::getline(requests, path);) {
        if (path.ends_with('\r')) path.pop_back();
        if (!path.starts_with('/')) continue;
        auto const there = reference->get({path, authorization, response_format});
        if (!there) return fail(there.error());
        auto const found = compare(*there, answer_here(**service, {{path}, wanted.bearer}));
        if (found) print(path, *found);
        ++(found ? different : equal);
    }
    std::cout << equal << " equal, " << different << " different\n";
    if (equal + different == 0)
        return fail(wanted.requests + ": no line begins with /", exit_configuration);
    return different == 0 ? exit_ok : exit_failed;
}

} // namespace

Run declare_compare(CommandLine command) {
    auto const wanted = std::make_shared<Compared>();
    command.required("--reference", wanted->reference, "URL of the CMS, http://host:port");
    command.required("--requests", wanted->requests,
                     "file of paths with query strings, one per line; - for standard input");
    command.option("--bearer", wanted->bearer, "JWT or API token of the caller");
    return [wanted](Options const& options) { return run_compare(*wanted, options); };
}

} // namespace fcgi
