#include "db/plan/binder.hpp"

#include "db/plan/deep_populate.hpp"

#include <algorithm>
#include <cmath>

namespace db {

using parser::Populate;
using Pass = Refusals::Pass;
using Source = Node::Source;

namespace {

// Rows of these come from a link table alone, and then from one table for each type.
bool has_pairs(Attribute const& attribute) {
    return attribute.is_polymorphic() || attribute.link.place == Link::Place::parent_column;
}

bool knows(ContentType const& type, std::string_view field) {
    Attribute const* attribute = type.find(field);
    if (!attribute) attribute = type.find_by_column(field);
    return field == "id" || (attribute && attribute->is_scalar());
}

bool reads_alike(Node const& a, Node const& b) {
    auto const plain = [](Node const& node) {
        return node.where.always_true() && node.sort.empty() && !node.start && !node.limit &&
               node.branches.empty();
    };
    return a.columns == b.columns && a.reverse == b.reverse && plain(a) && plain(b);
}

} // namespace

void Binder::fields(parser::FieldSelection const& fields, ContentType const& type,
                    std::vector<Attribute const*>& columns) {
    refusals_.begin_parameter();
    At const at(*this, "fields");
    if (fields.invalid) refusals_.value(*fields.invalid);
    for (std::string const& name : fields.names) {
        if (name == "id") continue;
        Attribute const* attribute = type.find(name);
        if (!attribute) attribute = type.find_by_column(name);
        if (!attribute || !attribute->is_scalar())
            refuse(Pass::unknown, name);
        else if (attribute->is_hidden())
            refuse(Pass::hidden, name);
        else if (!fields.all && std::ranges::find(columns, attribute) == columns.end())
            columns.push_back(attribute);
    }
    if (!fields.all) return;
    for (std::size_t const index : type.column_order)
        if (Attribute const& attribute = type.attributes[index]; !attribute.is_hidden())
            columns.push_back(&attribute);
}

void Binder::selection(parser::Selection const& selection, ContentType const& type,
                       std::uint32_t node, bool live) {
    Condition where;
    {
        At const at(*this, "filters");
        where = filters(selection.filters, type);
    }
    if (live && type.draft_and_publish) require(where, published());
    plan_.nodes[node].where = std::move(where);
    std::vector<SortColumn> sorted;
    sort(selection, type, sorted);
    plan_.nodes[node].sort = std::move(sorted);
    fields(selection.fields, type, plan_.nodes[node].columns);
    populate(selection.populate, type, node, live);
}

void Binder::populate(parser::PopulateSet const& set, ContentType const& type, std::uint32_t node,
                      bool live) {
    At const at(*this, "populate");
    if (set.invalid) refusals_.value(*set.invalid);
    if (set.deep && node == 0 && knows_deep()) return populate_deep(set, type, live);
    if (set.everything) {
        for (Attribute const& attribute : type.attributes)
            if (may_populate(attribute)) branch(attribute, {.name = attribute.name}, node, live);
        return;
    }
    for (Populate const& populate : set.members) {
        Attribute const* attribute = type.find(populate.name);
        if (!attribute) {
            ignored(populate.name);
            continue;
        }
        if (populate.invalid) refusals_.value(*populate.invalid);
        if (may_populate(*attribute))
            branch(*attribute, populate, node, live);
        else
            ignored(populate.name);
    }
}

// It is the plugin's word where the project has the plugin, and ours where there is no CMS. In
// front of any other project it is a name, which Strapi ignores.
bool Binder::knows_deep() const {
    return schema_.dependencies.contains("strapi-plugin-populate-deep") || !schema_.has_cms;
}

void Binder::populate_deep(parser::PopulateSet const& set, ContentType const& type, bool live) {
    double const depth = set.deep->depth.value_or(options_.default_depth);
    if (std::isnan(depth)) return wrong("deep, or deep,N");
    auto const ignored_before = ignored_.size();
    if (auto const walked = deep_populate(type, depth, limits_.plan_nodes))
        populate(*walked, type, 0, live);
    else
        over(true, &parser::Limits::plan_nodes);
    ignored_.resize(ignored_before); // nobody asked for these by name
    for (std::size_t i = 2; i < set.members.size(); ++i)
        ignored(set.members[i].name);
}

bool Binder::may_populate(Attribute const& attribute) const {
    return !attribute.is_scalar() && !attribute.is_hidden() && is_permitted(attribute);
}

std::uint32_t Binder::add_node(Node node) {
    over(plan_.nodes.size() >= limits_.plan_nodes, &parser::Limits::plan_nodes);
    plan_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(plan_.nodes.size() - 1);
}

void Binder::branch(Attribute const& attribute, Populate const& populate, std::uint32_t node,
                    bool live) {
    // Past the limit nothing more is planned, whatever the query goes on to ask.
    if (plan_.nodes.size() > limits_.plan_nodes) return;
    At const at(*this, populate.name);
    for (std::string const& option : populate.ignored)
        ignored_.push_back(option);
    if (populate.publication_state)
        live = *populate.publication_state == parser::PublicationState::live;
    if (has_pairs(attribute))
        pairs_branch(attribute, populate, node, live);
    else
        entries_branch(attribute, populate, node, live);
}

void Binder::entries_branch(Attribute const& attribute, Populate const& populate,
                            std::uint32_t parent, bool live) {
    std::uint32_t const child = add_node({.source = Source::link,
                                          .parent = parent,
                                          .type = attribute.target,
                                          .link = &attribute.link,
                                          .slots = {&attribute},
                                          .reverse = populate.reverse && attribute.many,
                                          .start = populate.start,
                                          .limit = populate.limit});
    bool const is_media = attribute.type == AttributeType::media;
    plan_.nodes[child].count = populate.count && !is_media;
    selection(populate.selection, *attribute.target, child, live);
    if (plan_.nodes[child].count) {
        // How many there are, whatever is populated of them.
        plan_.nodes.resize(child + 1);
        plan_.nodes[child].branches.clear();
        plan_.nodes[child].start.reset();
        plan_.nodes[child].limit.reset();
    }
    if (is_media && share_media_node(attribute, parent, child)) return;
    plan_.nodes[parent].branches.push_back({&attribute, child});
}

// All media attributes of an owner that are read alike are one statement.
bool Binder::share_media_node(Attribute const& attribute, std::uint32_t parent,
                              std::uint32_t child) {
    for (Branch const& sibling : plan_.nodes[parent].branches) {
        Node& node = plan_.nodes[sibling.node];
        if (sibling.attribute->type != AttributeType::media ||
            !reads_alike(node, plan_.nodes[child]))
            continue;
        auto const slot = static_cast<std::uint32_t>(node.slots.size());
        node.slots.push_back(&attribute);
        std::uint32_t const shared = sibling.node;
        plan_.nodes.pop_back();
        plan_.nodes[parent].branches.push_back({&attribute, shared, slot});
        return true;
    }
    return false;
}

void Binder::pairs_branch(Attribute const& attribute, Populate const& populate,
                          std::uint32_t parent, bool live) {
    Link const& link = attribute.link;
    std::uint32_t const pairs = add_node({.source = Source::pairs,
                                          .parent = parent,
                                          .link = &link,
                                          .slots = {&attribute},
                                          .reverse = populate.reverse,
                                          .start = populate.start,
                                          .limit = populate.limit});
    plan_.nodes[parent].branches.push_back({&attribute, pairs});
    if (link.place == Link::Place::parent_column)
        for (std::string const& key : {link.target_type_column, link.target_column})
            if (!key.empty()) plan_.nodes[parent].keys.push_back(key);

    if (populate.on && attribute.is_polymorphic())
        return pairs_fragments(attribute, *populate.on, pairs, live);
    auto const targets = pair_targets(attribute);
    if (attribute.is_relation() && attribute.is_polymorphic())
        return pairs_of_any_type(targets, populate.selection, pairs, live);
    for (ContentType const* target : targets)
        pairs_target(*target, populate.selection, pairs, live);
}

// Types that have nothing in common share these options: each takes the fields that it has, and of
// the filters what any type has, the id. A field must be one of some type.
void Binder::pairs_of_any_type(std::vector<ContentType const*> const& targets,
                               parser::Selection const& options, std::uint32_t pairs, bool live) {
    {
        At const at(*this, "fields");
        for (std::string const& name : options.fields.names)
            if (std::ranges::none_of(targets, [&](auto* target) { return knows(*target, name); }))
                refuse(Pass::unknown, name);
    }
    for (ContentType const* target : targets) {
        parser::Selection known = options;
        std::erase_if(known.fields.names,
                      [&](std::string const& name) { return !knows(*target, name); });
        std::erase_if(known.filters.members,
                      [](parser::Filter const& filter) { return filter.key != "id"; });
        known.sort.clear();
        pairs_target(*target, known, pairs, live);
    }
}

// `on`: the named types alone, each with options of its own. Strapi 4.26 stops the inheritance of
// publicationState here: drafts are shown. Of a polymorphic relation to one it shows every type,
// the unnamed ones with the defaults.
void Binder::pairs_fragments(Attribute const& attribute, std::vector<Populate> const& fragments,
                             std::uint32_t pairs, bool inherited_live) {
    At const at(*this, "on");
    auto const targets = pair_targets(attribute);
    for (Populate const& fragment : fragments) {
        auto const target = std::ranges::find(targets, fragment.name, &ContentType::uid);
        if (target == targets.end()) {
            ignored(fragment.name);
            continue;
        }
        if (fragment.invalid) refusals_.value(*fragment.invalid);
        At const at_fragment(*this, fragment.name);
        bool const live = fragment.publication_state == parser::PublicationState::live;
        pairs_target(**target, fragment.selection, pairs, live);
    }
    if (!attribute.is_relation() || attribute.many) return;
    for (ContentType const* target : targets)
        if (std::ranges::find(fragments, target->uid, &Populate::name) == fragments.end())
            pairs_target(*target, {}, pairs, inherited_live);
}

// The types that rows behind a polymorphic attribute may have and the caller may see.
std::vector<ContentType const*> Binder::pair_targets(Attribute const& attribute) const {
    if (attribute.target) return {attribute.target};
    if (attribute.type == AttributeType::dynamic_zone) return attribute.targets;
    std::vector<ContentType const*> permitted;
    for (auto const& [uid, type] : schema_.types)
        if (permissions_.grants_find(uid)) permitted.push_back(type.get());
    return permitted;
}

void Binder::pairs_target(ContentType const& target, parser::Selection const& options,
                          std::uint32_t pairs, bool live) {
    if (plan_.nodes.size() > limits_.plan_nodes) return;
    std::uint32_t const child =
        add_node({.source = Source::target, .parent = pairs, .type = &target});
    plan_.nodes[pairs].targets.push_back(child);
    selection(options, target, child, live);
    plan_.nodes[child].sort.clear(); // their order is that of the pairs
}

} // namespace db
