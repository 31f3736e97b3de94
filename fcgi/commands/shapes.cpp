#include "fcgi/commands/shapes.hpp"

#include "fcgi/access/route.hpp"
#include "fcgi/answer/handle_request.hpp"

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace fcgi {

namespace {

// nginx and Apache write some bytes as `\x22`.
std::string without_escapes(std::string_view text) {
    std::string plain;
    for (std::size_t at = 0; at < text.size(); ++at) {
        unsigned char byte = 0;
        auto const* const digits = text.data() + at + 2;
        bool const is_escape = text.substr(at).starts_with("\\x") && at + 4 <= text.size() &&
                               std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2;
        plain += is_escape ? static_cast<char>(byte) : text[at];
        if (is_escape) at += 3;
    }
    return plain;
}

std::optional<std::string> target_in(std::string_view line) {
    if (line.starts_with('/')) return std::string(line);
    for (std::string_view const method : {"\"GET ", "\"HEAD "}) {
        auto const at = line.find(method);
        if (at == line.npos) continue;
        auto const begin = at + method.size();
        return without_escapes(line.substr(begin, line.find_first_of(" \"", begin) - begin));
    }
    return std::nullopt;
}

std::shared_ptr<db::SelectedPlan const>
plan_of(Service& service, std::shared_ptr<SiteState> const& state, std::string_view target) {
    static Caller const everyone{
        std::make_shared<db::Permissions const>(db::Permissions::Kind::full),
        {},
        "a caller with all permissions"};
    auto const [path, query] = split_target(target);
    if (query.size() > service.options().limits.query_string) return nullptr;
    Request request;
    request.method = "GET";
    request.path = path;
    request.query = query;
    Response response;
    RequestContext context{.path = path, .state = state, .caller = everyone};
    context.route = find_route(path, service.options().prefix, *state->schema);
    Route const& route = context.route;
    if (!route.kind || route.kind->form == ResponseForm::none || !route.target.type) return nullptr;
    if (route.kind->is_personal) return nullptr; // everyone is no user
    auto const made = make_plan({service, request, response, context});
    return made ? context.plan : nullptr;
}

std::string printable(std::string text) {
    std::ranges::replace_if(text, [](unsigned char c) { return std::iscntrl(c) != 0; }, '?');
    return text;
}

class ShapeCounts {
  public:
    void add(std::shared_ptr<db::SelectedPlan const> plan, std::string target) {
        auto const [found, is_new] = places_.try_emplace(plan->shape, shapes_.size());
        if (is_new) shapes_.push_back({std::move(plan), printable(std::move(target))});
        ++shapes_[found->second].asked;
    }
    std::vector<Shape> finished() && {
        std::ranges::stable_sort(shapes_, std::greater(), &Shape::asked);
        return std::move(shapes_);
    }

  private:
    std::vector<Shape> shapes_;
    std::unordered_map<std::uint64_t, std::size_t> places_; // by SelectedPlan::shape
};

} // namespace

parser::Result<RecordedRequests> read_requests(Service& service, std::string const& path) {
    std::ifstream file;
    if (path != "-") file.open(path);
    if (path != "-" && !file)
        return parser::Error{parser::ErrorKind::configuration,
                             "--log: " + path + " cannot be read: " + std::strerror(errno)};
    auto const state = service.state(service.freshness({}));
    if (!state) return state.error();
    RecordedRequests recorded;
    ShapeCounts counts;
    for (std::string line; std::getline(path == "-" ? std::cin : file, line);) {
        auto target = target_in(line);
        auto plan = target ? plan_of(service, *state, *target) : nullptr;
        ++(plan ? recorded.planned : recorded.others);
        if (plan) counts.add(std::move(plan), *std::move(target));
    }
    recorded.shapes = std::move(counts).finished();
    return recorded;
}

} // namespace fcgi
