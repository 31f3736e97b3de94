#include "tests/conformance/compare.hpp"

#include "fcgi/commands/comparison.hpp"

#include <set>
#include <sstream>

namespace conformance {
namespace {

using comparison::difference;
using comparison::Json;
using comparison::Precision;

// Which entries are on the page was left open: how many, and the total, were not.
std::optional<Mismatch> compare_pages(Json const& expected, Json const& got) {
    Json const nothing;
    auto const part = [&](Json const& body, std::string_view key) -> Json const& {
        auto const* found = body.find(key);
        return found ? *found : nothing;
    };
    if (auto found =
            compare_json(part(expected, "meta"), part(got, "meta"), "/meta", Precision::meaning))
        return found;
    auto const& entries = part(expected, "data");
    auto const& other = part(got, "data");
    if (entries.elements.size() == other.elements.size()) return {};
    return difference("length", "/data", entries.text, other.text);
}

std::optional<Mismatch> compare_body(Record const& record, std::string const& body,
                                     std::string const& recorded) {
    auto precision = record.group == "scalars" ? Precision::writing : Precision::meaning;
    if (record.group == "releases") precision = Precision::digits;
    auto const found = comparison::compare_bodies(recorded, body, precision);
    if (!found || (record.any_order && found->cause == "order")) return {};
    if (!record.any_order || !record.is_cut) return found;
    auto const expected = comparison::parse_json(recorded);
    auto const got = comparison::parse_json(body);
    return expected && got ? compare_pages(*expected, *got) : found;
}

std::set<std::string> methods(std::string const& allow) {
    std::set<std::string> found;
    std::istringstream list(allow);
    for (std::string method; std::getline(list >> std::ws, method, ',');)
        found.insert(method);
    return found;
}

} // namespace

std::optional<Mismatch> compare(Record const& record, Response const& response) {
    if (record.status != response.status)
        return difference("status", "", std::to_string(record.status),
                          std::to_string(response.status) + " " + response.body);
    if (record.has_headers && record.content_type != response.content_type)
        return difference("content type", "", record.content_type, response.content_type);
    if (record.has_headers && methods(record.allow) != methods(response.allow))
        return difference("allow", "", record.allow, response.allow);
    auto const first = compare_body(record, response.body, record.bodies.front());
    for (auto const& other : record.bodies)
        if (!compare_body(record, response.body, other)) return {};
    return first;
}

} // namespace conformance
