#include "fcgi/options/described.hpp"

#include "parser/base/javascript.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/algorithm/string/split.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

namespace fcgi {

namespace json = boost::json;

namespace {

// An option, and the place below `settings` of what it follows from.
struct DescribedOption {
    std::string_view name;
    std::string_view place;                // JSON pointer
    std::string (*in_use)(Options const&); // as it would be written
    std::string_view of_null = {};         // what null means; empty: that nothing is said
    bool adds = false;                     // to what the owner sets
};

std::string text_of(bool value) {
    return value ? "true" : "false";
}

constexpr DescribedOption described_list[] = {
    {"prefix", "/rest/prefix", [](Options const& in) { return in.prefix; }},
    {"default-limit", "/rest/defaultLimit",
     [](Options const& in) { return std::to_string(in.api.default_limit); }},
    {"max-limit", "/rest/maxLimit",
     [](Options const& in) {
         return in.api.max_limit ? std::to_string(*in.api.max_limit) : "none";
     },
     "none"},
    {"with-count", "/rest/withCount", [](Options const& in) { return text_of(in.api.with_count); }},
    {"private-attributes",
     "/rest/privateAttributes",
     [](Options const& in) { return boost::join(in.private_attributes, ","); },
     {},
     true},
    {"query-array-limit", "/rest/arrayLimit",
     [](Options const& in) { return std::to_string(in.tree.array_limit); }},
    {"cors-origins", "/rest/cors/origin",
     [](Options const& in) {
         return in.cors.origins.empty() ? "*" : boost::join(in.cors.origins, ",");
     }},
    {"cors-headers", "/rest/cors/headers",
     [](Options const& in) { return boost::join(in.cors.headers, ","); }},
    {"cors-expose", "/rest/cors/expose",
     [](Options const& in) { return boost::join(in.cors.exposed, ","); }},
    {"cors-credentials", "/rest/cors/credentials",
     [](Options const& in) { return text_of(in.cors.credentials); }},
    {"cors-max-age", "/rest/cors/maxAge",
     [](Options const& in) { return std::to_string(in.cors.max_age); }},
    {"time-zone", "/timeZone", [](Options const& in) { return in.time_zone; }},
};

std::string written(json::value const& value) {
    if (value.is_string()) return std::string(value.get_string());
    if (!value.is_array()) return json::serialize(value);
    std::vector<std::string> items;
    for (json::value const& item : value.get_array())
        items.push_back(written(item));
    // One `*` among origins allows all.
    return std::ranges::find(items, "*") == items.end() ? boost::join(items, ",") : "*";
}

std::optional<std::string> theirs(DescribedOption const& option, json::value const& settings) {
    boost::system::error_code none;
    auto const* value = settings.find_pointer(option.place, none);
    if (!value || (value->is_null() && option.of_null.empty())) return std::nullopt;
    return value->is_null() ? std::string(option.of_null) : written(*value);
}

std::set<std::string> items_of(std::string const& text) {
    std::vector<std::string> items;
    boost::split(items, text, [](char c) { return c == ','; });
    std::set<std::string> sorted;
    for (std::string const& item : items)
        if (auto const name = parser::trimmed(item); !name.empty()) sorted.emplace(name);
    return sorted;
}

} // namespace

std::string described_text(db::Description const& description, std::string_view pointer) {
    boost::system::error_code none;
    json::value const settings = description.settings;
    auto const* value = settings.find_pointer(pointer, none);
    return value && !value->is_null() ? written(*value) : std::string();
}

parser::Result<std::string> described_variable(db::Description const& description,
                                               std::string_view member) {
    auto const* secret = description.settings.if_contains(member);
    if (!secret) return std::string();
    auto const* object = secret->if_object();
    auto const* variable = object ? object->if_contains("variable") : nullptr;
    if (variable && variable->is_string()) return std::string(variable->get_string());
    return parser::Error{parser::ErrorKind::configuration,
                         "it is in no variable of the CMS, but in its configuration"};
}

WrittenOptions described_options(db::Description const& description, WrittenOptions const& owners) {
    WrittenOptions described;
    json::value const settings = description.settings;
    for (DescribedOption const& option : described_list) {
        auto const set = owners.find(std::string(option.name));
        bool const is_owners = set != owners.end() && !set->second.empty() && !option.adds;
        auto text = theirs(option, settings);
        if (text && !is_owners) described.emplace(option.name, *std::move(text));
    }
    return described;
}

std::vector<DifferingOption> differing_options(db::Description const& description,
                                               Options const& ours) {
    std::vector<DifferingOption> differing;
    json::value const settings = description.settings;
    for (DescribedOption const& option : described_list) {
        auto const text = theirs(option, settings);
        if (!text) continue;
        auto const said = items_of(*text), used = items_of(option.in_use(ours));
        if (said == used || (option.adds && std::ranges::includes(used, said))) continue;
        differing.push_back(
            {std::string(option.name), boost::join(said, ","), boost::join(used, ",")});
    }
    return differing;
}

std::string newer_settings(db::Description const& description, Options const& options) {
    auto const now = described_options(description, options.written);
    return boost::join(changed_options(options.described, now), ", ");
}

std::vector<std::string> changed_options(WrittenOptions const& before, WrittenOptions const& now) {
    std::vector<std::pair<std::string, std::string>> differing;
    std::ranges::set_symmetric_difference(before, now, std::back_inserter(differing));
    std::set<std::string> names;
    for (auto const& [name, text] : differing)
        names.insert(name);
    return {names.begin(), names.end()};
}

} // namespace fcgi
