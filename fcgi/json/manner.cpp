#include "fcgi/json/manner.hpp"

namespace fcgi {

namespace {

// Strapi 4.26
constexpr Manner attributes{.entry = Shape::enveloped,
                            .sets_document_apart = false,
                            .type_is_last = false,
                            .one_says_type = false,
                            .empty_can_be_null = true,
                            .wraps_flat_counts = true,
                            .flat_parts_say_type = true};

// Strapi 5.54
constexpr Manner flat{.entry = Shape::raw,
                      .sets_document_apart = false,
                      .type_is_last = true,
                      .one_says_type = true,
                      .empty_can_be_null = false,
                      .wraps_flat_counts = false,
                      .flat_parts_say_type = false};
constexpr Manner documents{.entry = Shape::enveloped,
                           .sets_document_apart = true,
                           .type_is_last = true,
                           .one_says_type = true,
                           .empty_can_be_null = false,
                           .wraps_flat_counts = false,
                           .flat_parts_say_type = false};

} // namespace

Shape shape_below(db::Attribute const& attribute, Shape above) {
    if (above == Shape::raw) return Shape::raw;
    if (attribute.type == db::AttributeType::component ||
        attribute.type == db::AttributeType::dynamic_zone)
        return Shape::component;
    return attribute.is_polymorphic() ? Shape::raw : Shape::enveloped;
}

Manner const& manner_of(db::ReadPlan::Format format) {
    switch (format) {
    case db::ReadPlan::Format::flat:
        return flat;
    case db::ReadPlan::Format::documents:
        return documents;
    case db::ReadPlan::Format::attributes:
        break;
    }
    return attributes;
}

} // namespace fcgi
