#include "db/schema/declaration.hpp"

#include <algorithm>

// The names of the link tables, and of their columns, in which Strapi stores the pairs of a
// relation.

namespace db {

namespace {

using Storage = Link::Storage;

// Returns a part of a name that is never shortened.
Layout::NamePart fixed(std::string_view text) {
    return {std::string(text), true};
}

Link own_row(ContentType const& type, std::string column) {
    Link link;
    link.storage = Storage::parent_column;
    link.table = type.table;
    link.parent_column = "id";
    link.target_column = std::move(column);
    return link;
}

// Returns the link to the same pairs as the related entry has it. Their order stays as it is.
Link reversed(Link link) {
    if (link.storage != Storage::table)
        link.storage = link.storage == Storage::parent_column ? Storage::target_column
                                                              : Storage::parent_column;
    std::swap(link.parent_column, link.target_column);
    std::swap(link.parent_type_column, link.target_type_column);
    return link;
}

// Returns the link of an owning relation, as read from its owner or from the other side.
Link relation_link(Layout const& layout, ContentType const& owner,
                   AttributeDeclaration const& relation, ContentType const& target,
                   bool from_owner) {
    auto const& [name, kind] = std::tie(relation.attribute.name, relation.attribute.relation);
    Link link;
    if (!relation.use_join_table) {
        link = own_row(owner, layout.name({{snake_case(name)}, fixed("id")}));
        return from_owner ? link : reversed(link);
    }
    auto const own = snake_case(owner.singular);
    auto const other = snake_case(target.singular);
    link.storage = Storage::table;
    link.table = layout.name({{snake_case(owner.table)}, {snake_case(name)}, fixed(layout.links)});
    link.parent_column = layout.name({{own}, fixed("id")});
    // `inv` is for a relation to the same type, or to a type with the same name.
    link.target_column = own == other ? layout.name({fixed("inv"), {other}, fixed("id")})
                                      : layout.name({{other}, fixed("id")});

    bool const many_to_many = kind == RelationKind::many_to_many;
    std::string const target_order = layout.name({{other}, fixed(layout.order)});
    if (from_owner) {
        if (many_to_many || kind == RelationKind::one_to_many) link.order_column = target_order;
        return link;
    }
    link = reversed(link);
    if (many_to_many || kind == RelationKind::many_to_one) {
        link.order_column = many_to_many && own == other
                                ? layout.name({fixed("inv"), {own}, fixed(layout.order)})
                                : layout.name({{own}, fixed(layout.order)});
    }
    return link;
}

// Strapi 5: the localizations of a row are all rows of its document.
Link document_link(ContentType const& type) {
    Link link;
    link.storage = Storage::table;
    link.table = type.table;
    link.parent_column = "id";
    link.target_column = document_column;
    link.entry_column = document_column;
    return link;
}

Link morph_link(Layout const& layout, ContentType const& owner, AttributeDeclaration const& morph) {
    Link link;
    if (morph.attribute.relation == RelationKind::morph_to_one) {
        link = own_row(owner, "target_id");
        link.target_type_column = "target_type";
        return link;
    }
    auto const name = snake_case(morph.attribute.name);
    link.storage = Storage::table;
    link.table = layout.name({{snake_case(owner.table)}, {name}, fixed(layout.morphs)});
    link.parent_column = layout.name({{snake_case(owner.singular)}, fixed("id")});
    link.target_column = layout.name({{name}, fixed("id")});
    link.target_type_column = layout.name({{name}, fixed("type")});
    link.order_column = "order";
    return link;
}

Link inverse_morph_link(Layout const& layout, ContentType const& entry, std::string const& name,
                        ContentType const& target, AttributeDeclaration const& morph) {
    Link link = reversed(morph_link(layout, target, morph));
    link.parent_type = entry.uid;
    if (link.storage != Storage::table) return link;
    link.field_column = "field";
    link.field = name;
    return link;
}

Link component_link(Layout const& layout, ContentType const& owner, Attribute const& attribute) {
    Link link;
    link.storage = Storage::table;
    link.table = owner.components_table;
    link.parent_column = "entity_id";
    link.target_column = std::string(layout.component) + "_id";
    link.order_column = "order";
    link.field_column = "field";
    link.field = attribute.name;
    // Strapi reads a single or repeatable component by its field alone.
    if (attribute.type == AttributeType::dynamic_zone) link.target_type_column = "component_type";
    return link;
}

bool is_morph(AttributeDeclaration const& declaration) {
    auto const kind = declaration.attribute.relation;
    return declaration.attribute.is_relation() &&
           (kind == RelationKind::morph_to_one || kind == RelationKind::morph_to_many);
}

bool is_inverse_morph(AttributeDeclaration const& declaration) {
    auto const kind = declaration.attribute.relation;
    return declaration.attribute.type == AttributeType::media ||
           (declaration.attribute.is_relation() &&
            (kind == RelationKind::morph_one || kind == RelationKind::morph_many));
}

// The owning side of a relation has inversedBy, or neither inversedBy nor mappedBy.
bool is_owner(AttributeDeclaration const& declaration) {
    return declaration.inversed_by || !declaration.mapped_by;
}

bool is_users_of_role(ContentType const& type, Attribute const& attribute) {
    return type.uid == "plugin::users-permissions.role" && attribute.is_relation() &&
           attribute.target && attribute.target->uid == "plugin::users-permissions.user";
}

// Gives links to attributes as Strapi does: attribute by attribute, an owning side gets a link, and
// so does the attribute that it names as its inverse. What `mappedBy` names does not matter, and an
// attribute that gets no link is in no response.
class LinkResolver {
  public:
    LinkResolver(Schema& schema, std::vector<Declaration> const& declarations)
        : schema_(schema), layout_(schema.cms.layout) {
        for (auto const& declaration : declarations)
            for (auto const& declared : declaration.attributes)
                sides_[declaration.type.uid].emplace(
                    declared.attribute.name, PendingAttribute{&declared, declared.attribute, {}});
    }

    parser::Result<void> run(std::vector<Declaration> const& declarations) {
        for (auto const& declaration : declarations)
            for (auto const& declared : declaration.attributes) {
                where_ = declaration.path + ": attributes." + declared.attribute.name;
                auto& side = sides_.at(declaration.type.uid).at(declared.attribute.name);
                if (!declared.attribute.is_scalar()) link(declaration.type, side);
                if (!problem_.empty()) return schema_error(problem_);
            }
        for (auto const& declaration : declarations)
            for (auto const& declared : declaration.attributes)
                add(*schema_.types.at(declaration.type.uid),
                    sides_.at(declaration.type.uid).at(declared.attribute.name));
        return {};
    }

  private:
    struct PendingAttribute {
        AttributeDeclaration const* declared;
        Attribute attribute;
        std::string left_out; // why it is left out; empty: it is not
    };

    void add(ContentType& type, PendingAttribute& side) {
        bool const is_scalar = side.attribute.is_scalar();
        if (!is_scalar && side.attribute.link.storage == Storage::none && side.left_out.empty())
            side.left_out =
                "no relation of " + side.declared->target + " to this type names it in inversedBy";
        if (!side.left_out.empty()) {
            schema_.left_out.push_back(
                {side.attribute.name + " of " + type.uid, std::move(side.left_out)});
            return;
        }
        if (is_scalar) type.column_order.push_back(type.attributes.size());
        side.attribute.is_withheld = is_users_of_role(type, side.attribute);
        type.attributes.push_back(std::move(side.attribute));
    }

    void fail(std::string const& member, std::string const& expected) {
        if (problem_.empty()) problem_ = where_ + '.' + member + ": expected " + expected;
    }

    bool is_left_out(std::string const& uid) const {
        return std::ranges::count(schema_.left_out, uid, &Omission::what) > 0;
    }

    void link(ContentType const& type, PendingAttribute& side) {
        auto& attribute = side.attribute;
        if (attribute.type == AttributeType::dynamic_zone) return link_zone(type, side);
        if (attribute.type == AttributeType::component) return link_component(type, side);
        if (is_morph(*side.declared)) {
            attribute.owns_link = true;
            attribute.link = morph_link(layout_, type, *side.declared);
            return;
        }
        if (!is_inverse_morph(*side.declared)) return link_relation(type, side);
        if (!find_target(side, true)) return;
        link_inverse_morph(type, side);
    }

    // Strapi starts with a zone that lists what does not exist; no entry can have that.
    void link_zone(ContentType const& type, PendingAttribute& side) {
        auto& attribute = side.attribute;
        for (auto const& uid : side.declared->components) {
            auto const* found = schema_.find(uid);
            if (found && found->kind == ContentType::Kind::component)
                attribute.targets.push_back(found);
            else
                schema_.left_out.push_back({uid + " in " + attribute.name + " of " + type.uid,
                                            "there is no such component"});
        }
        attribute.owns_link = true;
        attribute.link = component_link(layout_, type, attribute);
    }

    void link_component(ContentType const& type, PendingAttribute& side) {
        auto const& uid = side.declared->target;
        auto const* found = schema_.find(uid);
        if (!found || found->kind != ContentType::Kind::component) {
            // Strapi never looks at what no entry can contain.
            if (!is_left_out(uid) && type.kind != ContentType::Kind::component)
                fail("component", "the UID of a component, received \"" + uid + '"');
            side.left_out = "there is no component " + uid;
            return;
        }
        side.attribute.owns_link = true;
        side.attribute.target = found;
        side.attribute.link = component_link(layout_, type, side.attribute);
    }

    // If Strapi `needs` it, a type of the project must exist; one of a plugin may exist where
    // Strapi runs.
    bool find_target(PendingAttribute& side, bool needs) {
        auto const& uid = side.declared->target;
        auto const* found = schema_.find(uid);
        if (found && found->kind != ContentType::Kind::component) {
            side.attribute.target = found;
            return true;
        }
        bool const may_exist = found || is_left_out(uid) || uid.starts_with("plugin::") ||
                               uid.starts_with("admin::") || uid.starts_with("strapi::");
        if (needs && !may_exist)
            fail("target", "the UID of a content type, received \"" + uid + '"');
        side.left_out =
            (found ? "it is a relation to the component " : "no known content type has the UID ") +
            uid;
        return false;
    }

    void link_inverse_morph(ContentType const& type, PendingAttribute& side) {
        auto const& name = side.declared->morph_by;
        auto* morph = find_side(side.declared->target, name);
        if (morph && is_morph(*morph->declared)) {
            side.attribute.link = inverse_morph_link(layout_, type, side.attribute.name,
                                                     *side.attribute.target, *morph->declared);
            return;
        }
        if (!morph && !name.empty())
            fail("morphBy",
                 "an attribute of " + side.declared->target + ", received \"" + name + '"');
        side.left_out =
            "its morphBy does not name a polymorphic relation of " + side.declared->target;
    }

    void link_relation(ContentType const& type, PendingAttribute& side) {
        auto const& declared = *side.declared;
        if (declared.is_localizations && layout_.has_documents) {
            side.attribute.target = schema_.find(type.uid);
            side.attribute.link = document_link(type);
            return;
        }
        auto const kind = declared.attribute.relation;
        if (kind == RelationKind::one_to_many && declared.inversed_by)
            fail("inversedBy", "mappedBy instead, because the many side owns a two-way relation");
        if (kind == RelationKind::many_to_one && !is_owner(declared))
            fail("mappedBy", "inversedBy instead, because the many side owns a two-way relation");
        if (!find_target(side, is_owner(declared)) || !is_owner(declared)) return;
        side.attribute.owns_link = true;
        side.attribute.link = relation_link(layout_, type, declared, *side.attribute.target, true);
        if (!declared.inversed_by && !declared.mapped_by) return;
        auto* other = find_side(declared.target, declared.inversed_by.value_or(""));
        if (!other || !other->attribute.is_relation())
            return fail("inversedBy", "a relation of " + declared.target + ", received \"" +
                                          declared.inversed_by.value_or("") + '"');
        if (other == &side || other->declared->target != type.uid || is_morph(*other->declared) ||
            is_inverse_morph(*other->declared))
            return;
        other->attribute.owns_link = false;
        other->attribute.link =
            relation_link(layout_, type, declared, *side.attribute.target, false);
    }

    PendingAttribute* find_side(std::string const& uid, std::string const& name) {
        auto const type = sides_.find(uid);
        if (type == sides_.end()) return nullptr;
        auto const found = type->second.find(name);
        return found == type->second.end() ? nullptr : &found->second;
    }

    Schema& schema_;
    Layout const& layout_;
    std::map<std::string, std::map<std::string, PendingAttribute>> sides_; // by type and attribute
    std::string where_;
    std::string problem_;
};

} // namespace

parser::Result<void> resolve_links(Schema& schema, std::vector<Declaration> const& declarations) {
    return LinkResolver(schema, declarations).run(declarations);
}

} // namespace db
