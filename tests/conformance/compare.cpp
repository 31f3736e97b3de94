#include "tests/conformance/compare.hpp"

#include "tests/conformance/json.hpp"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <sstream>

namespace conformance {
namespace {

enum class Precision { meaning, writing };

std::string shortened(std::string_view text) {
    constexpr std::size_t most = 120;
    return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "…";
}

bool same_scalar(Json const& expected, Json const& got, Precision precision) {
    if (expected.text == got.text) return true;
    if (precision == Precision::writing) return false;
    if (expected.kind == Json::Kind::string)
        return decode_string(expected.text) == decode_string(got.text);
    return expected.kind == Json::Kind::number &&
           std::strtod(std::string(expected.text).c_str(), nullptr) ==
               std::strtod(std::string(got.text).c_str(), nullptr);
}

std::optional<Difference> first_difference(Json const& expected, Json const& got,
                                           std::string const& where, Precision precision);

std::optional<Difference> differing(std::string_view cause, std::string const& where,
                                    std::string_view expected, std::string_view got) {
    return Difference{cause, where, shortened(expected), shortened(got)};
}

std::optional<Difference> first_in_members(Json const& expected, Json const& got,
                                           std::string const& where, Precision precision) {
    auto const path = [&](std::string_view name) { return where + "/" + std::string(name); };
    for (auto const& [key, value] : expected.members) {
        auto const name = key.substr(1, key.size() - 2);
        auto const* other = got.find(name);
        if (!other) return differing("missing key", path(name), value.text, "");
        if (auto found = first_difference(value, *other, path(name), precision)) return found;
    }
    for (auto const& [key, value] : got.members) {
        auto const name = key.substr(1, key.size() - 2);
        if (!expected.find(name)) return differing("extra key", path(name), "", value.text);
    }
    if (expected.members.size() == got.members.size()) return {};
    return differing("repeated key", where, expected.text, got.text);
}

std::optional<Difference> first_in_elements(Json const& expected, Json const& got,
                                            std::string const& where, Precision precision) {
    if (expected.elements.size() != got.elements.size())
        return differing("length", where, expected.text, got.text);
    for (std::size_t i = 0; i < expected.elements.size(); ++i)
        if (auto found = first_difference(expected.elements[i], got.elements[i],
                                          where + "/" + std::to_string(i), precision))
            return found;
    return {};
}

std::optional<Difference> first_difference(Json const& expected, Json const& got,
                                           std::string const& where, Precision precision) {
    if (expected.kind != got.kind) return differing("value", where, expected.text, got.text);
    if (expected.kind == Json::Kind::object)
        return first_in_members(expected, got, where, precision);
    if (expected.kind == Json::Kind::list)
        return first_in_elements(expected, got, where, precision);
    if (same_scalar(expected, got, precision)) return {};
    return differing("value", where, expected.text, got.text);
}

// Puts every list of entries, at any depth, into one order of its own.
void sort_entries(Json& value) {
    for (auto& element : value.elements)
        sort_entries(element);
    for (auto& [key, member] : value.members)
        sort_entries(member);
    auto const is_entry = [](Json const& element) { return element.find("id") != nullptr; };
    if (std::ranges::all_of(value.elements, is_entry))
        std::ranges::sort(value.elements, {}, canonical);
}

std::optional<Difference> compare_pages(Json const& expected, Json const& got) {
    auto const precision = Precision::meaning;
    Json const nothing;
    auto const part = [&](Json const& body, std::string_view key) -> Json const& {
        auto const* found = body.find(key);
        return found ? *found : nothing;
    };
    if (auto found = first_difference(part(expected, "meta"), part(got, "meta"), "meta", precision))
        return found;
    auto const& entries = part(expected, "data");
    auto const& other = part(got, "data");
    if (entries.elements.size() == other.elements.size()) return {};
    return differing("length", "data", entries.text, other.text);
}

std::optional<Difference> compare_body(Record const& record, std::string const& body,
                                       std::string const& recorded) {
    auto expected = parse_json(recorded);
    auto got = parse_json(body);
    if (!expected || !got) {
        if (body == recorded) return {};
        return differing("value", "", recorded, body);
    }
    auto const precision = record.group == "scalars" ? Precision::writing : Precision::meaning;
    auto const found = first_difference(*expected, *got, "", precision);
    if (!found) return {};
    sort_entries(*expected);
    sort_entries(*got);
    bool const same_set = !first_difference(*expected, *got, "", precision);
    if (record.any_order && same_set) return {};
    if (record.any_page) return compare_pages(*expected, *got);
    if (same_set) return Difference{"order", found->where, found->expected, found->got};
    return found;
}

std::set<std::string> methods(std::string const& allow) {
    std::set<std::string> found;
    std::istringstream list(allow);
    for (std::string method; std::getline(list >> std::ws, method, ',');)
        found.insert(method);
    return found;
}

} // namespace

std::optional<Difference> compare(Record const& record, Answer const& answer) {
    if (record.status != answer.status)
        return differing("status", "", std::to_string(record.status),
                         std::to_string(answer.status) + " " + answer.body);
    if (record.content_type != answer.content_type)
        return differing("content type", "", record.content_type, answer.content_type);
    if (methods(record.allow) != methods(answer.allow))
        return differing("allow", "", record.allow, answer.allow);
    auto const first = compare_body(record, answer.body, record.bodies.front());
    for (auto const& other : record.bodies)
        if (!compare_body(record, answer.body, other)) return {};
    return first;
}

} // namespace conformance
