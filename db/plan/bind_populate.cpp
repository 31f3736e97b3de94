#include "db/plan/bind_passes.hpp"

#include "db/plan/populated.hpp"
#include "parser/base/javascript.hpp"
#include "parser/query_reader.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace db {

using parser::Checked;
using parser::Populate;
using parser::PopulateOptions;
using parser::PopulateSet;
using parser::Publication;
using parser::QueryPlace;

namespace {

bool may_populate(BindContext const& context, Attribute const& attribute) {
    return !attribute.is_scalar() && attribute.is_shown() && context.is_permitted(attribute);
}

// Beyond the limit nothing more is planned, whatever else the query asks for.
bool is_full(BindContext const& context) {
    return context.nodes > context.limits.plan_nodes;
}

void check_room(BindContext& context) {
    context.is_over(context.nodes >= context.limits.plan_nodes, &parser::Limits::plan_nodes);
}

std::uint32_t add_node(BindContext& context, std::vector<Node>& nodes, Node node) {
    ++context.nodes;
    nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(nodes.size() - 1);
}

// Binds which rows a node reads, in which order, and which of their columns.
void bind_rows(BindContext& context, parser::Selection const& selection, Publication const& shown,
               QueryPlace const& place, Node& node) {
    node.where = bind_filters(context, selection.filters, *node.type, place);
    require(node.where, published_as(shown, *node.type));
    node.sort = bind_sort(context, selection, *node.type, place);
    node.columns = bind_fields(context, selection.fields, *node.type, place);
}

// Adds the locale where it is shown although the type is not localized.
void show_locale(BindContext const& context, parser::Selection const& selection,
                 std::vector<Node> const& nodes, Node& node) {
    if (!context.rules.inverses_show_locale || !selection.fields.unchecked().all) return;
    Attribute const* locale = node.type->find("locale");
    if (locale && locale->is_private && is_behind_inverse(nodes, node))
        node.columns.push_back(locale);
}

void populate(BindContext& context, Checked<PopulateSet> const& set, Populated const& of,
              QueryPlace const& place);

// Whether rows are read from a link table alone, and then from one table for each type.
bool has_pairs(Attribute const& attribute) {
    return attribute.is_polymorphic() || attribute.link.storage == Link::Storage::parent_column;
}

std::vector<ContentType const*> zone_targets(BindContext const& context, Attribute const& zone) {
    auto targets = zone.targets;
    for (std::string const& uid : context.options.unlisted)
        if (ContentType const* part = context.schema.find_part(uid);
            part && std::ranges::find(targets, part) == targets.end())
            targets.push_back(part);
    return targets;
}

// Returns the types that rows of a polymorphic attribute may have and the caller may see.
std::vector<ContentType const*> pair_targets(BindContext const& context,
                                             Attribute const& attribute) {
    if (attribute.target) return {attribute.target};
    if (attribute.type == AttributeType::dynamic_zone) return zone_targets(context, attribute);
    std::vector<ContentType const*> permitted;
    for (auto const& [uid, type] : context.schema.types) {
        bool const is_left_out =
            context.rules.populates_by_type && type->kind == ContentType::Kind::component;
        if (!is_left_out && context.permissions.grants_find(uid)) permitted.push_back(type.get());
    }
    return permitted;
}

// Returns the type that a fragment names; null if rows of the attribute cannot have it, or the
// caller may not see it.
ContentType const* fragment_target(BindContext const& context, Attribute const& attribute,
                                   std::string_view uid) {
    if (attribute.type == AttributeType::dynamic_zone) return context.schema.find_part(uid);
    return context.permissions.grants_find(uid) ? context.schema.find(uid) : nullptr;
}

bool says_nothing(parser::Selection const& selection) {
    PopulateSet const& below = selection.populate.unchecked();
    return selection.fields.unchecked().all && selection.filters.members.unchecked().empty() &&
           selection.sort.unchecked().empty() && !below.everything && below.paths.empty() &&
           below.members.empty();
}

// Whether a polymorphic relation that is populated by type is shown at all.
bool is_shown(BindContext const& context, Attribute const& attribute,
              PopulateOptions const& options) {
    if (options.count) return true;
    if (!options.on)
        return !context.rules.cuts_populate ||
               (!options.is_word && says_nothing(options.selection));
    return std::ranges::any_of(*options.on, [&](Populate const& fragment) {
        return fragment_target(context, attribute, fragment.name);
    });
}

// Returns the names that `populate=*` stands for on entries of the type.
PopulateSet everything_of(BindContext const& context, ContentType const& type) {
    PopulateSet named;
    for (Attribute const& attribute : type.attributes)
        if (may_populate(context, attribute)) named.members.push_back({attribute.name, {}});
    return named;
}

// PairsNode of a polymorphic attribute or a creator.
struct PairsNode {
    std::vector<Node>& nodes;
    std::uint32_t node;
    Attribute const& attribute;
};

void pairs_target(BindContext& context, PairsNode const& pairs, ContentType const& target,
                  parser::Selection const& options, Publication const& shown,
                  QueryPlace const& place) {
    if (is_full(context)) return;
    check_room(context);
    std::uint32_t const child = add_node(
        context, pairs.nodes, {.source = RowSource::target, .parent = pairs.node, .type = &target});
    pairs.nodes[pairs.node].targets.push_back(child);
    bind_rows(context, options, shown, place, pairs.nodes[child]);
    show_locale(context, options, pairs.nodes, pairs.nodes[child]);
    pairs.nodes[child].sort.clear(); // their order is that of the pairs
    populate(context, options.populate, {pairs.nodes, child, target, shown}, place);
}

// Types that have nothing in common share these options: each uses the fields that it has, and of
// the filters only those on the id, which every type has. Some type must have each field. Names
// are populated if they are texts; options for them have no effect, as in Strapi 4.26, which has no
// type to read them for.
void pairs_of_any_type(BindContext& context, PairsNode const& pairs,
                       std::vector<ContentType const*> const& targets, parser::Selection options,
                       Publication const& shown, QueryPlace const& place) {
    for (std::string const& name : options.fields.unchecked().names)
        if (std::ranges::none_of(targets, [&](auto* target) { return has_field(*target, name); }))
            context.refuse(Pass::unknown, name, {&place, "fields"});
    for (Populate const& member : std::exchange(options.populate.edit().members, {}))
        context.ignore(member.name, {&place, "populate"});
    for (ContentType const* target : targets) {
        parser::Selection known = options;
        std::erase_if(known.fields.edit().names,
                      [&](std::string const& name) { return !has_field(*target, name); });
        std::erase_if(known.filters.members.edit(),
                      [](parser::Filter const& filter) { return filter.key != "id"; });
        known.sort.edit().clear();
        pairs_target(context, pairs, *target, known, shown, place);
    }
}

// Binds `on`: only the named types, each with options of its own. Strapi 4.26 does not inherit
// publicationState here: drafts are shown. Of a polymorphic relation to one it shows every type,
// the unnamed ones with the defaults.
void pairs_fragments(BindContext& context, PairsNode const& pairs,
                     std::vector<Populate> const& fragments, Publication const& inherited,
                     QueryPlace const& place) {
    QueryPlace const here{&place, "on"};
    for (Populate const& fragment : fragments) {
        ContentType const* const target = fragment_target(context, pairs.attribute, fragment.name);
        if (!target) {
            context.ignore(fragment.name, here);
            continue;
        }
        PopulateOptions const& options = context.use(fragment.options);
        auto const shown = context.rules.fragments_inherit_state
                               ? inherited
                               : Publication{options.publication_state.value_or(
                                     parser::PublicationState::preview)};
        pairs_target(context, pairs, *target, options.selection, shown, {&here, fragment.name});
    }
    if (context.rules.populates_by_type || !pairs.attribute.is_relation() || pairs.attribute.many)
        return;
    for (ContentType const* target : pair_targets(context, pairs.attribute))
        if (std::ranges::find(fragments, target->uid, &Populate::name) == fragments.end())
            pairs_target(context, pairs, *target, {}, inherited, here);
}

void count_pairs(BindContext& context, PairsNode const& pairs) {
    pairs.nodes[pairs.node].count = true;
    for (ContentType const* target : pair_targets(context, pairs.attribute)) {
        if (is_full(context)) return;
        check_room(context);
        std::uint32_t const child = add_node(
            context, pairs.nodes,
            {.source = RowSource::target, .parent = pairs.node, .type = target, .count = true});
        pairs.nodes[pairs.node].targets.push_back(child);
    }
}

void pairs_branch(BindContext& context, Attribute const& attribute, PopulateOptions const& options,
                  Populated const& of, QueryPlace const& place) {
    Link const& link = attribute.link;
    bool const by_type =
        context.rules.populates_by_type && attribute.is_relation() && attribute.is_polymorphic();
    if (by_type && !is_shown(context, attribute, options)) return;
    check_room(context);
    PairsNode const pairs{of.nodes,
                          add_node(context, of.nodes,
                                   {.source = RowSource::pairs,
                                    .parent = of.node,
                                    .link = &link,
                                    .slots = {&attribute},
                                    .reverse = options.reverse,
                                    .start = options.start,
                                    .limit = options.limit}),
                          attribute};
    Node& parent = of.nodes[of.node];
    parent.branches.push_back({&attribute, pairs.node});
    if (link.storage == Link::Storage::parent_column)
        for (std::string const& key : {link.target_type_column, link.target_column})
            if (!key.empty()) parent.keys.push_back(key);

    if (by_type && options.count) return count_pairs(context, pairs);
    if (options.on && attribute.is_polymorphic())
        return pairs_fragments(context, pairs, *options.on, of.shown, place);
    auto const targets = pair_targets(context, attribute);
    of.nodes[pairs.node].of_any_part = attribute.type == AttributeType::dynamic_zone;
    if (attribute.is_relation() && attribute.is_polymorphic())
        return pairs_of_any_type(context, pairs, targets, options.selection, of.shown, place);
    bool const is_named_by_first = context.rules.first_part_names_all && !targets.empty() &&
                                   options.selection.populate.unchecked().everything;
    if (is_named_by_first) {
        parser::Selection named = options.selection;
        named.populate.edit() = everything_of(context, *targets.front());
        for (ContentType const* target : targets)
            pairs_target(context, pairs, *target, named, of.shown, place);
        return;
    }
    for (ContentType const* target : targets)
        pairs_target(context, pairs, *target, options.selection, of.shown, place);
}

bool names_any(BindContext const& context, PopulateSet const& set, ContentType const& type) {
    auto const may = [&](Attribute const& attribute) { return may_populate(context, attribute); };
    if (set.everything) return std::ranges::any_of(type.attributes, may);
    return !set.paths.empty() || std::ranges::any_of(set.members, [&](Populate const& member) {
        Attribute const* attribute = type.find(member.name);
        return attribute && may(*attribute);
    });
}

bool reads_alike(Node const& a, Node const& b) {
    auto const plain = [](Node const& node) {
        return node.where.always_true() && node.sort.empty() && !node.start && !node.limit &&
               node.branches.empty();
    };
    return a.columns == b.columns && a.reverse == b.reverse && plain(a) && plain(b);
}

// Media attributes of an owner that are read alike, with nothing below them, share a statement.
std::optional<std::uint32_t> media_read_alike(Populated const& of, Node const& media) {
    for (Branch const& sibling : of.nodes[of.node].branches)
        if (sibling.attribute->type == AttributeType::media &&
            reads_alike(of.nodes[sibling.node], media))
            return sibling.node;
    return std::nullopt;
}

// Checks what is populated of entries that are only counted: its errors count, its nodes don't.
void check_populate(BindContext& context, Checked<PopulateSet> const& set, ContentType const& type,
                    Publication const& shown, QueryPlace const& place) {
    std::vector<Node> unread(1);
    std::size_t const planned = context.nodes;
    populate(context, set, {unread, 0, type, shown}, place);
    context.nodes = planned;
}

// Whether the attribute is the inverse of a polymorphic relation to one.
bool is_in_polymorphic_columns(Attribute const& attribute) {
    Link const& link = attribute.link;
    return link.storage == Link::Storage::target_column && !link.parent_type_column.empty();
}

// Strapi counts rows of link tables that are the attribute's own. Other entries, such as files and
// the other locales of a document, are shown even if `count` asks for their number.
bool is_countable(Attribute const& attribute) {
    Link const& link = attribute.link;
    return link.storage == Link::Storage::table && !attribute.is_of_document() &&
           link.parent_type_column.empty();
}

// Binds what only the inverse side of a polymorphic relation has.
void bind_inverse(BindContext& context, Attribute const& attribute,
                  parser::Selection const& selection, Node& node) {
    bool const is_cut = context.rules.fields_cut_polymorphic && !selection.fields.unchecked().all &&
                        is_in_polymorphic_columns(attribute);
    if (is_cut) require(node.where, {.kind = ConditionKind::any_of}); // finds nothing
}

void entries_branch(BindContext& context, Attribute const& attribute,
                    PopulateOptions const& options, Populated const& of, QueryPlace const& place) {
    bool const is_media = attribute.type == AttributeType::media;
    Checked<PopulateSet> const& below = options.selection.populate;
    ContentType const& type = *attribute.target;
    check_room(context);
    Node node{.source = RowSource::link,
              .parent = of.node,
              .type = &type,
              .link = &attribute.link,
              .slots = {&attribute},
              .reverse = options.reverse && attribute.many,
              .without_parents = attribute.is_of_document(),
              .count = options.count && is_countable(attribute)};
    if (!options.count) {
        node.start = options.start;
        node.limit = options.limit;
    }
    bind_rows(context, options.selection, of.shown, place, node);
    bind_inverse(context, attribute, options.selection, node);
    show_locale(context, options.selection, of.nodes, node);
    // Strapi 5.54 leaves the order to the server, which takes that of the index of documents.
    if (node.without_parents && node.sort.empty())
        node.sort.push_back({.hops = {}, .column = "locale"});
    if (is_media && !names_any(context, below.unchecked(), type))
        if (auto const shared = media_read_alike(of, node)) {
            auto& slots = of.nodes[*shared].slots;
            of.nodes[of.node].branches.push_back(
                {&attribute, *shared, static_cast<std::uint32_t>(slots.size())});
            slots.push_back(&attribute);
            return populate(context, below, {of.nodes, *shared, type, of.shown}, place);
        }
    bool const is_count = node.count;
    std::uint32_t const child = add_node(context, of.nodes, std::move(node));
    of.nodes[of.node].branches.push_back({&attribute, child});
    if (is_count)
        check_populate(context, below, type, of.shown, place);
    else
        populate(context, below, {of.nodes, child, type, of.shown}, place);
}

// Binds one attribute of the entries, with the options that the query has for it.
void branch(BindContext& context, Attribute const& attribute, PopulateOptions const& options,
            Populated const& of, QueryPlace const& place) {
    if (is_full(context)) return;
    for (std::string const& option : options.ignored)
        context.ignored.push_back(option);
    Publication const shown =
        options.publication_state ? Publication{*options.publication_state} : of.shown;
    Populated const from{of.nodes, of.node, of.type, shown};
    if (has_pairs(attribute))
        pairs_branch(context, attribute, options, from, place);
    else
        entries_branch(context, attribute, options, from, place);
}

// Checks the names in the options of an attribute that the caller may not see.
void check_unseen(BindContext& context, Attribute const& attribute, PopulateOptions const& options,
                  Publication const& shown, QueryPlace const& place) {
    if (!attribute.target) return;
    auto const earlier = context.refusals.first_value();
    Node unread{.type = attribute.target};
    bind_rows(context, options.selection, shown, place, unread);
    check_populate(context, options.selection.populate, *attribute.target, shown, place);
    context.refusals.drop_values(earlier);
}

void populate_members(BindContext& context, PopulateSet const& set, Populated const& of,
                      QueryPlace const& here) {
    if (set.everything) {
        for (Attribute const& attribute : of.type.attributes)
            if (may_populate(context, attribute))
                branch(context, attribute, {}, of, {&here, attribute.name});
        return;
    }
    for (Populate const& member : set.members) {
        Attribute const* attribute = of.type.find(member.name);
        if (!attribute) {
            context.ignore(member.name, here);
            continue;
        }
        PopulateOptions const& options = context.use(member.options);
        QueryPlace const place{&here, member.name};
        // Only the list of roles begins with roles, and it says how many users each has.
        bool const is_of_role_list = attribute->is_withheld && of.node == 0;
        if (is_of_role_list || may_populate(context, *attribute)) {
            branch(context, *attribute, options, of, place);
            continue;
        }
        context.ignore(member.name, here);
        if (context.rules.checks_unseen)
            check_unseen(context, *attribute, options, of.shown, place);
    }
}

void populate(BindContext& context, Checked<PopulateSet> const& set, Populated const& of,
              QueryPlace const& place) {
    QueryPlace const here{&place, "populate"};
    PopulateSet const& written = context.use(set);
    if (written.paths.empty()) return populate_members(context, written, of, here);
    populate_members(context, named_members(context, written, of.type, here), of, here);
}

void populate_deep(BindContext& context, PopulateSet const& set, Populated const& root,
                   QueryPlace const& here) {
    double const depth = set.depth.value_or(context.options.default_depth);
    if (std::isnan(depth)) return context.expect("deep, or deep,N", here);
    auto const ignored_before = context.ignored.size();
    if (auto const walked = deep_populate(root.type, depth, context.limits.plan_nodes))
        populate_members(context, *walked, root, here);
    else
        context.is_over(true, &parser::Limits::plan_nodes);
    context.ignored.resize(ignored_before); // nobody asked for these by name
    bool has_depth = false;
    for (std::string const& text : set.paths)
        for (std::string_view name : parser::split(text, ','))
            if (name = parser::trimmed(name); name != "deep" && std::exchange(has_depth, true))
                context.ignore(name, here);
}

} // namespace

void bind_populate(BindContext& context, Checked<PopulateSet> const& set, Populated const& root,
                   QueryPlace const& place) {
    bool const is_deep = set.unchecked().deep && knows_deep(context.schema);
    if (!is_deep) return populate(context, set, root, place);
    populate_deep(context, context.use(set), root, {&place, "populate"});
}

} // namespace db
