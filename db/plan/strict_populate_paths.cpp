#include "db/plan/strict_populate_paths.hpp"

#include "db/plan/populate_names.hpp"
#include "parser/query_reader.hpp"

#include <set>
#include <span>
#include <vector>

namespace db {

namespace {

using Segments = std::span<std::string_view const>;

// The type that the next name of a path is an attribute of. In a part of a zone, the last name may
// be any attribute.
struct Stop {
    ContentType const* type;
    bool is_part = false;
    auto operator<=>(Stop const&) const = default;
};

// Returns the type of the entries below which a path goes on; null if there is none.
ContentType const* next_on_path(Attribute const& attribute) {
    bool const leads_on = attribute.is_relation() || attribute.type == AttributeType::component;
    return leads_on && !attribute.is_polymorphic() ? attribute.target : nullptr;
}

void add_stops(Stop const& from, Attribute const& attribute, std::set<Stop>& stops) {
    if (ContentType const* target = next_on_path(attribute))
        stops.insert({target});
    else if (!from.is_part)
        for (ContentType const* part : attribute.targets)
            stops.insert({part, true});
}

// Returns whether one of the parts has all of the names. All parts are followed at once, however
// many there are.
bool any_part_has(Attribute const& zone, Segments names) {
    std::set<Stop> stops;
    add_stops({}, zone, stops);
    for (std::size_t i = 0; i < names.size(); ++i) {
        bool const is_last = i + 1 == names.size();
        std::set<Stop> next;
        for (Stop const& stop : stops) {
            Attribute const* attribute = find_attribute(*stop.type, names[i]);
            if (!attribute) continue;
            if (is_last && (stop.is_part || !attribute->is_scalar())) return true;
            add_stops(stop, *attribute, next);
        }
        stops = std::move(next);
    }
    return false;
}

} // namespace

Refusal check_path(std::string_view path, ContentType const& root) {
    std::vector<std::string_view> names;
    for (std::string_view const name : parser::split(path, '.'))
        if (auto const trimmed = parser::trimmed(name); !trimmed.empty()) names.push_back(trimmed);
    ContentType const* type = &root;
    std::string walked;
    for (std::size_t i = 0; i < names.size(); ++i) {
        Attribute const* attribute = find_attribute(*type, names[i]);
        if (!walked.empty()) walked += '.';
        walked += names[i];
        if (!attribute || attribute->is_scalar())
            return invalid_key(names[i], walked, populate_param);
        if (i + 1 == names.size()) break;
        if (attribute->type == AttributeType::dynamic_zone) {
            Segments const rest = Segments(names).subspan(i + 1);
            if (any_part_has(*attribute, rest)) break;
            return invalid_key(rest[0], walked.append(".").append(rest[0]), populate_param);
        }
        type = next_on_path(*attribute);
        if (!type) return invalid_key(names[i], walked, populate_param);
    }
    return std::nullopt;
}

Refusal check_hidden(std::string_view text, ContentType const& root, parser::Place const* at) {
    ContentType const* type = &root;
    std::string walked = dotted(at).value_or("");
    for (std::string_view const name : parser::split(text, '.')) {
        Attribute const* attribute = find_attribute(*type, name);
        if (!attribute) break;
        if (!walked.empty()) walked += '.';
        walked += name;
        if (attribute->is_private) return invalid_key(name, walked, populate_param);
        if (attribute->is_polymorphic() || !attribute->target) break;
        type = attribute->target;
    }
    return std::nullopt;
}

Refusal check_uncut(std::string_view path, ContentType const& root, parser::Place const* at,
                    parser::Place const* raw) {
    ContentType const* type = &root;
    auto walked = dotted(at);
    auto written = dotted(raw).value_or("");
    Refusal hidden; // is reported if there is no other
    auto const names = parser::split(path, '.');
    for (std::string_view const& name : names) {
        Attribute const* attribute = find_attribute(*type, name);
        if (!attribute && is_boolean(name)) break;
        if (!attribute) return invalid_key(name, walked, populate_param);
        walked = walked ? *walked + '.' + std::string(name) : std::string(name);
        written.append(written.empty() ? "" : ".").append(name);
        if (attribute->is_scalar()) return invalid_key(name, written, populate_param);
        if (attribute->is_private && !hidden) hidden = invalid_key(name, walked, populate_param);
        if (&name == &names.back()) break;
        if (attribute->is_polymorphic() || !attribute->target)
            return invalid_key("populate", written, populate_param);
        written += ".populate";
        type = attribute->target;
    }
    return hidden;
}

Refusal check_whole(std::string_view text, ContentType const& root, parser::Place const* at) {
    ContentType const* type = &root;
    std::string walked = dotted(at).value_or("");
    for (std::string_view const name : parser::split(text, '.')) {
        Attribute const* attribute = find_attribute(*type, name);
        if (!attribute && is_boolean(name)) break;
        if (!attribute)
            return invalid_key(name, walked.empty() ? std::nullopt : std::optional(walked),
                               populate_param);
        walked.append(".").append(name);
        if (attribute->is_polymorphic() || !attribute->target) break;
        type = attribute->target;
    }
    return std::nullopt;
}

} // namespace db
