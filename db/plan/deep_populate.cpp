#include "db/plan/deep_populate.hpp"

#include <set>
#include <string_view>

namespace db {

using parser::Populate;
using parser::PopulateSet;

namespace {

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
