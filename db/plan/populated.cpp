#include "db/plan/populated.hpp"

#include "parser/base/javascript.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace db {

using parser::Populate;
using parser::PopulateSet;
using parser::QueryPlace;

namespace {

// In Strapi 5 before release 5.53 a path goes on over what the caller may not find, though nothing
// of that is shown.
bool is_seen(BindContext const& context, Attribute const& attribute) {
    bool const is_cut = context.rules.ends_text_at_unseen || context.rules.cuts_populate;
    return !attribute.is_hidden() && (!is_cut || context.is_permitted(attribute));
}

// The part of a path that the caller may see.
struct SeenPath {
    std::string text;
    bool is_whole = true;
    bool ends_polymorphic = false; // at a relation to entries of any type
};

// A name that no attribute has ends the walk: it and what follows are kept as they are.
SeenPath walk(BindContext const& context, std::string_view rest, ContentType const& root) {
    SeenPath path;
    ContentType const* type = &root;
    while (type) {
        if (context.rules.ends_text_at_unseen) rest = parser::trimmed(rest);
        auto const end = rest.find('.');
        Attribute const* attribute = type->find(rest.substr(0, end));
        if (!attribute) break;
        if (!is_seen(context, *attribute)) {
            path.is_whole = false;
            return path;
        }
        if (!path.text.empty()) path.text += '.';
        path.text += attribute->name;
        path.ends_polymorphic = attribute->is_relation() && attribute->is_polymorphic();
        if (end == std::string_view::npos) return path;
        rest.remove_prefix(end + 1);
        // Strapi 4.26 looks for the names below a zone in the type that has the zone.
        if (attribute->type != AttributeType::dynamic_zone || !context.rules.ends_text_at_unseen)
            type = attribute->target;
    }
    if (!path.text.empty()) path.text += '.';
    path.text += rest;
    path.ends_polymorphic = false;
    return path;
}

bool is_below(std::string_view path, std::string_view other) {
    return path.size() > other.size() && path.starts_with(other) && path[other.size()] == '.';
}

// Returns the texts of a list as Strapi 5.54 has them after turning them into a tree and back.
std::vector<std::string_view> merged(std::vector<std::string> const& texts) {
    std::vector<std::string_view> paths;
    for (std::string_view text : texts) {
        text = without_leading_dots(text);
        std::erase_if(paths, [&](std::string_view known) {
            return known == text || is_below(known, text) || is_below(text, known);
        });
        paths.push_back(text);
    }
    return paths;
}

// A text may have thousands of names, each of which add_path() looks for among all before it: those
// without effect are not added.
void add_paths(BindContext& context, std::string_view text, ContentType const& type,
               QueryPlace const& place, PopulateSet& set) {
    for (std::string_view path : parser::split(text, ',')) {
        path = parser::trimmed(path);
        auto const first = path.substr(0, path.find('.'));
        if (type.find(first))
            parser::add_path(path, set);
        else if (!first.empty())
            context.ignore(first, place);
    }
}

PopulateSet& below_of(Populate& populate) {
    return populate.options.edit().selection.populate.edit();
}

// Adds `from` to `into`. If `from` populates a name with nothing below it, so does the result.
void merge(PopulateSet& into, PopulateSet const& from) {
    for (Populate const& populate : from.members) {
        Populate* known = into.find(populate.name);
        PopulateSet const& below = populate.options.unchecked().selection.populate.unchecked();
        if (!known)
            into.members.push_back(populate);
        else if (below.members.empty())
            below_of(*known) = {};
        else
            merge(below_of(*known), below);
    }
}

class Walk {
  public:
    // The tables of the types that the walk has visited; components do not use it.
    using Collections = std::set<std::string_view>;

    explicit Walk(std::size_t plan_nodes) : most_(plan_nodes) {}

    bool is_over() const { return is_over_; }

    PopulateSet populate(ContentType const& type, double depth, Collections* visited) {
        PopulateSet set;
        if (depth <= 1) return set;
        if (visited) visited->insert(type.table);
        for (Attribute const& attribute : type.attributes) {
            if (attribute.is_scalar() || (visited && visited->contains(attribute.name))) continue;
            if (leads_back(type, attribute) || (is_of_editor(attribute) && depth > 2)) continue;
            is_over_ = is_over_ || ++names_ > names_a_node * most_ || levels_ == most_;
            if (is_over_) break;
            set.members.push_back({.name = attribute.name});
            ++levels_;
            below_of(set.members.back()) = below(attribute, depth - 1, visited);
            --levels_;
        }
        return set;
    }

  private:
    static bool leads_back(ContentType const& type, Attribute const& attribute) {
        return type.uid == "plugin::upload.file" && attribute.name == "related";
    }

    static bool is_of_editor(Attribute const& attribute) {
        return attribute.is_relation() && attribute.target &&
               attribute.target->uid == "admin::user";
    }

    PopulateSet below(Attribute const& attribute, double depth, Collections* visited) {
        if (attribute.type == AttributeType::component)
            return populate(*attribute.target, depth, nullptr);
        if (attribute.is_relation() && attribute.target && attribute.name != "localizations")
            return populate(*attribute.target, depth, visited);
        PopulateSet all;
        for (ContentType const* component : attribute.targets)
            merge(all, populate(*component, depth, nullptr));
        return all;
    }

    static constexpr std::size_t names_a_node = 20;

    std::size_t most_;
    std::size_t names_ = 0;
    std::size_t levels_ = 0;
    bool is_over_ = false;
};

} // namespace

std::string_view without_leading_dots(std::string_view path) {
    return path.substr(std::min(path.find_first_not_of('.'), path.size()));
}

PopulateSet named_members(BindContext& context, PopulateSet const& set, ContentType const& type,
                          QueryPlace const& place) {
    PopulateSet named = set;
    named.paths.clear();
    bool const ends_text = context.rules.ends_text_at_unseen;
    std::vector<SeenPath> paths;
    for (std::string_view const text :
         ends_text ? std::vector<std::string_view>(set.paths.begin(), set.paths.end())
                   : merged(set.paths)) {
        paths.push_back(walk(context, text, type));
        if (!paths.back().is_whole) context.ignore(text, place);
    }
    // Strapi 5.54 does not turn a tree with a polymorphic relation back into paths. Names in it are
    // whole, and what comes before something hidden stays.
    bool const is_tree = !ends_text && std::ranges::any_of(paths, &SeenPath::ends_polymorphic);
    for (SeenPath const& path : paths)
        if (is_tree)
            parser::add_path(path.text, named);
        else if (path.is_whole || ends_text)
            add_paths(context, path.text, type, place, named);
    return named;
}

bool knows_deep(Schema const& schema) {
    return schema.dependencies.contains("strapi-plugin-populate-deep") || !schema.has_cms;
}

std::optional<PopulateSet> deep_populate(ContentType const& type, double depth,
                                         std::size_t plan_nodes) {
    Walk walk(plan_nodes);
    Walk::Collections visited;
    auto set = walk.populate(type, depth, &visited);
    if (walk.is_over()) return std::nullopt;
    return set;
}

} // namespace db
