#include "fcgi/answer/handle_request.hpp"
#include "fcgi/commands/commands.hpp"
#include "fcgi/compare/difference.hpp"
#include "fcgi/compare/reference.hpp"

#include <algorithm>
#include <fstream>
#include <iostream>

namespace fcgi {

namespace {

using comparison::Answer;
using comparison::Difference;

Answer answer_here(Service& service, std::string const& path, std::string const& bearer) {
    Workings workings;
    auto response = answer_get(service, path, bearer, workings, Wanted::answer);
    auto const type = std::ranges::find(response.headers, std::string_view("Content-Type"),
                                        [](auto const& header) { return header.first; });
    return {response.status, type == response.headers.end() ? "" : type->second,
            std::move(response.body)};
}

std::optional<Difference> compare(Answer const& there, Answer const& here) {
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

} // namespace

int run_compare(Options const& options) {
    std::ifstream file(options.compare.requests);
    bool const is_standard_input = options.compare.requests == "-";
    std::istream& requests = is_standard_input ? std::cin : file;
    if (!requests) return fail("cannot read " + options.compare.requests, exit_configuration);
    auto reference = comparison::Reference::at(options.compare.reference);
    if (!reference) return fail(reference.error());
    auto const service = Service::create(options);
    if (!service) return fail(service.error());

    std::string const authorization =
        options.bearer.empty() ? std::string() : "Bearer " + options.bearer;
    std::size_t equal = 0;
    std::size_t different = 0;
    for (std::string path; std::getline(requests, path);) {
        if (path.ends_with('\r')) path.pop_back();
        if (!path.starts_with('/')) continue;
        auto const there = reference->get(path, authorization);
        if (!there) return fail(there.error());
        auto const found = compare(*there, answer_here(**service, path, options.bearer));
        if (found) print(path, *found);
        ++(found ? different : equal);
    }
    std::cout << equal << " equal, " << different << " different\n";
    if (equal + different == 0)
        return fail(options.compare.requests + ": no line begins with /", exit_configuration);
    return different == 0 ? exit_ok : exit_failed;
}

} // namespace fcgi
