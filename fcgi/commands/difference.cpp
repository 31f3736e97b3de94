#include "fcgi/commands/difference.hpp"

#include "fcgi/commands/json.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace comparison {
namespace {

std::string shortened(std::string_view text) {
    constexpr std::size_t most = 120;
    return text.size() <= most ? std::string(text) : std::string(text.substr(0, most)) + "…";
}

bool same_scalar(Json const& expected, Json const& got, Precision precision) {
    if (expected.text == got.text) return true;
    if (precision == Precision::writing) return false;
    if (expected.kind == Json::Kind::string)
        return decode_string(expected.text) == decode_string(got.text);
    if (expected.kind != Json::Kind::number) return false;
    double const a = std::strtod(std::string(expected.text).c_str(), nullptr);
    double const b = std::strtod(std::string(got.text).c_str(), nullptr);
    constexpr double digits = 1e-14;
    return a == b || (precision == Precision::digits && std::abs(a - b) <= digits * std::abs(a));
}

std::optional<Difference> compare_members(Json const& expected, Json const& got,
                                          std::string const& where, Precision precision) {
    auto const path = [&](std::string_view name) { return where + "/" + std::string(name); };
    for (auto const& [key, value] : expected.members) {
        auto const name = key.substr(1, key.size() - 2);
        auto const* other = got.find(name);
        if (!other) return difference("missing key", path(name), value.text, "");
        if (auto found = compare_json(value, *other, path(name), precision)) return found;
    }
    for (auto const& [key, value] : got.members) {
        auto const name = key.substr(1, key.size() - 2);
        if (!expected.find(name)) return difference("extra key", path(name), "", value.text);
    }
    if (expected.members.size() == got.members.size()) return {};
    return difference("repeated key", where, expected.text, got.text);
}

std::optional<Difference> compare_elements(Json const& expected, Json const& got,
                                           std::string const& where, Precision precision) {
    if (expected.elements.size() != got.elements.size())
        return difference("length", where, expected.text, got.text);
    for (std::size_t i = 0; i < expected.elements.size(); ++i)
        if (auto found = compare_json(expected.elements[i], got.elements[i],
                                      where + "/" + std::to_string(i), precision))
            return found;
    return {};
}

// Sorts every list of entries, at any depth, by the canonical text of the entries.
void sort_entries(Json& value) {
    for (auto& element : value.elements)
        sort_entries(element);
    for (auto& [key, member] : value.members)
        sort_entries(member);
    auto const is_entry = [](Json const& element) { return element.find("id") != nullptr; };
    if (std::ranges::all_of(value.elements, is_entry))
        std::ranges::sort(value.elements, {}, canonical);
}

// The order of localizations is undefined: Strapi, 4.26 and 5.54, reads them without ORDER BY.
void sort_localizations(Json& value) {
    for (auto& element : value.elements)
        sort_localizations(element);
    for (auto& [key, member] : value.members)
        if (key == "\"localizations\"")
            sort_entries(member);
        else
            sort_localizations(member);
}

} // namespace

Difference difference(std::string_view cause, std::string_view where, std::string_view expected,
                      std::string_view got) {
    return {cause, std::string(where), shortened(expected), shortened(got)};
}

std::optional<Difference> compare_json(Json const& expected, Json const& got,
                                       std::string const& where, Precision precision) {
    if (expected.kind != got.kind) return difference("value", where, expected.text, got.text);
    if (expected.kind == Json::Kind::object)
        return compare_members(expected, got, where, precision);
    if (expected.kind == Json::Kind::list) return compare_elements(expected, got, where, precision);
    if (same_scalar(expected, got, precision)) return {};
    return difference("value", where, expected.text, got.text);
}

std::optional<Difference> compare_bodies(std::string_view expected, std::string_view got,
                                         Precision precision) {
    auto there = parse_json(expected);
    auto here = parse_json(got);
    if (!there || !here) {
        if (expected == got) return {};
        return difference("value", "", expected, got);
    }
    sort_localizations(*there);
    sort_localizations(*here);
    auto found = compare_json(*there, *here, "", precision);
    if (!found) return {};
    sort_entries(*there);
    sort_entries(*here);
    if (!compare_json(*there, *here, "", precision)) found->cause = "order";
    return found;
}

} // namespace comparison
