#include "db/schema/declaration.hpp"

#include <algorithm>

// Where Strapi 4.26 stores the pairs of a relation: names of link tables and of their columns.

namespace db {

namespace {

using Place = Link::Place;

Link own_row(ContentType const& type, std::string column) {
    Link link;
    link.place = Place::parent_column;
    link.table = type.table;
    link.parent_column = "id";
    link.target_column = std::move(column);
    return link;
}

// The same pairs as the related entry sees them, but for their order.
Link reversed(Link link) {
    if (link.place != Place::table)
        link.place =
            link.place == Place::parent_column ? Place::target_column : Place::parent_column;
    std::swap(link.parent_column, link.target_column);
    std::swap(link.parent_type_column, link.target_type_column);
    return link;
}

// An owning relation, as read from its owner or from the other side.
Link relation_link(ContentType const& owner, AttributeDeclaration const& relation,
                   ContentType const& target, bool from_owner) {
    auto const& [name, kind] = std::tie(relation.attribute.name, relation.attribute.relation);
    Link link;
    if (!relation.use_join_table) {
        link = own_row(owner, snake_case(name + "_id"));
        return from_owner ? link : reversed(link);
    }
    link.place = Place::table;
    link.table = snake_case(owner.table + '_' + name + "_links");
    link.parent_column = snake_case(owner.singular + "_id");
    link.target_column = snake_case(target.singular + "_id");
    // Of a relation to the same type, or to a type with the same name.
    if (link.target_column == link.parent_column) link.target_column.insert(0, "inv_");

    bool const many_to_many = kind == RelationKind::many_to_many;
    std::string const target_order = snake_case(target.singular + "_order");
    if (from_owner) {
        if (many_to_many || kind == RelationKind::one_to_many) link.order_column = target_order;
        return link;
    }
    link = reversed(link);
    if (many_to_many || kind == RelationKind::many_to_one) {
        link.order_column = snake_case(owner.singular + "_order");
        if (many_to_many && link.order_column == target_order) link.order_column.insert(0, "inv_");
    }
    return link;
}

Link morph_link(ContentType const& owner, AttributeDeclaration const& morph) {
    Link link;
    if (morph.attribute.relation == RelationKind::morph_to_one) {
        link = own_row(owner, "target_id");
        link.target_type_column = "target_type";
        return link;
    }
    auto const& name = morph.attribute.name;
    link.place = Place::table;
    link.table = snake_case(owner.table + '_' + name + "_morphs");
    link.parent_column = snake_case(owner.singular + "_id");
    link.target_column = snake_case(name + "_id");
    link.target_type_column = snake_case(name + "_type");
    link.order_column = "order";
    return link;
}

Link inverse_morph_link(ContentType const& entry, std::string const& name,
                        ContentType const& target, AttributeDeclaration const& morph) {
    Link link = reversed(morph_link(target, morph));
    link.parent_type = entry.uid;
    if (link.place != Place::table) return link;
    link.field_column = "field";
    link.field = name;
    return link;
}

Link component_link(ContentType const& owner, Attribute const& attribute) {
    Link link;
    link.place = Place::table;
    link.table = owner.table + "_components";
    link.parent_column = "entity_id";
    link.target_column = "component_id";
    link.order_column = "order";
    link.field_column = "field";
    link.field = attribute.name;
    // Strapi reads a single or repeatable component by its field alone.
    if (attribute.type == AttributeType::dynamic_zone) link.target_type_column = "component_type";
    return link;
}

bool is_inverse_morph(AttributeDeclaration const& declaration) {
    return !declaration.morph_by.empty();
}

bool is_morph(AttributeDeclaration const& declaration) {
    return declaration.attribute.relation == RelationKind::morph_to_one ||
           declaration.attribute.relation == RelationKind::morph_to_many;
}

class LinkResolver {
  public:
    LinkResolver(Schema const& schema, std::vector<Declaration> const& declarations)
        : schema_(schema) {
        for (auto const& declaration : declarations)
            declarations_.emplace(declaration.type.uid, &declaration);
    }

    parser::Result<Attribute> resolve(Declaration const& owner,
                                      AttributeDeclaration const& declared) {
        problem_.clear();
        where_ = owner.path + ": attributes." + declared.attribute.name;
        Attribute attribute = declared.attribute;
        if (!attribute.is_scalar()) resolve_targets(attribute, declared);
        attribute.owns_link = declared.mapped_by.empty() && declared.morph_by.empty();
        if (!attribute.is_scalar() && problem_.empty())
            attribute.link = link_of(owner, declared, attribute);
        if (!problem_.empty()) return schema_error(problem_);
        return attribute;
    }

  private:
    void fail(std::string const& member, std::string const& expected) {
        if (problem_.empty()) problem_ = where_ + '.' + member + ": expected " + expected;
    }

    ContentType const* find_target(std::string const& member, std::string const& uid,
                                   bool component) {
        auto const* found = schema_.find(uid);
        bool const fits = found && (found->kind == ContentType::Kind::component) == component;
        if (!fits)
            fail(member, (component ? "the UID of a component" : "the UID of a content type") +
                             (", received \"" + uid + '"'));
        return found;
    }

    void resolve_targets(Attribute& attribute, AttributeDeclaration const& declared) {
        if (attribute.type == AttributeType::dynamic_zone)
            for (auto const& uid : declared.components)
                attribute.targets.push_back(find_target("components", uid, true));
        else if (!declared.target.empty() && attribute.type == AttributeType::component)
            attribute.target = find_target("component", declared.target, true);
        else if (!declared.target.empty())
            attribute.target = find_target("target", declared.target, false);
    }

    Link link_of(Declaration const& owner, AttributeDeclaration const& declared,
                 Attribute const& attribute) {
        if (attribute.type == AttributeType::component ||
            attribute.type == AttributeType::dynamic_zone)
            return component_link(owner.type, attribute);
        if (is_morph(declared)) return morph_link(owner.type, declared);
        if (is_inverse_morph(declared)) {
            auto const* morph = other_side(declared, "morphBy", declared.morph_by);
            if (morph && !is_morph(*morph)) fail("morphBy", "a morphToOne or morphToMany relation");
            if (!problem_.empty()) return {};
            return inverse_morph_link(owner.type, attribute.name, *attribute.target, *morph);
        }
        return plain_link(owner, declared, attribute);
    }

    Link plain_link(Declaration const& owner, AttributeDeclaration const& declared,
                    Attribute const& attribute) {
        if (declared.mapped_by.empty()) {
            if (!declared.inversed_by.empty()) {
                if (attribute.relation == RelationKind::one_to_many)
                    fail("inversedBy", "mappedBy: the many side owns a two-way relation");
                other_side(declared, "inversedBy", declared.inversed_by);
            }
            return relation_link(owner.type, declared, *attribute.target, true);
        }
        auto const* owning = other_side(declared, "mappedBy", declared.mapped_by);
        if (!owning) return {};
        if (owning->attribute.relation != mirrored(attribute.relation) ||
            owning->target != owner.type.uid || !owning->mapped_by.empty()) {
            fail("mappedBy",
                 "the owning side of this relation, received \"" + declared.mapped_by + '"');
            return {};
        }
        return relation_link(*attribute.target, *owning, owner.type, false);
    }

    static RelationKind mirrored(RelationKind kind) {
        if (kind == RelationKind::one_to_many) return RelationKind::many_to_one;
        if (kind == RelationKind::many_to_one) return RelationKind::one_to_many;
        return kind;
    }

    // The relation of the target that `member` names.
    AttributeDeclaration const* other_side(AttributeDeclaration const& declared,
                                           std::string const& member, std::string const& name) {
        auto const& attributes = declarations_.at(declared.target)->attributes;
        auto const found =
            std::ranges::find_if(attributes, [&](AttributeDeclaration const& candidate) {
                return candidate.attribute.is_relation() && candidate.attribute.name == name;
            });
        if (found != attributes.end()) return &*found;
        fail(member, "a relation of " + declared.target + ", received \"" + name + '"');
        return nullptr;
    }

    Schema const& schema_;
    std::map<std::string, Declaration const*> declarations_;
    std::string where_;
    std::string problem_;
};

} // namespace

parser::Result<void> resolve_links(Schema& schema, std::vector<Declaration> const& declarations) {
    LinkResolver resolver(schema, declarations);
    for (auto const& declaration : declarations) {
        auto& type = *schema.types.at(declaration.type.uid);
        for (auto const& declared : declaration.attributes) {
            auto attribute = resolver.resolve(declaration, declared);
            if (!attribute) return attribute.error();
            if (attribute->is_scalar()) type.column_order.push_back(type.attributes.size());
            type.attributes.push_back(std::move(*attribute));
        }
    }
    return {};
}

} // namespace db
