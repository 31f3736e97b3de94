#pragma once

#include "db/plan/read_plan.hpp"

#include <cstdint>

namespace fcgi {

// How an entry is written.
enum class Shape : std::uint8_t {
    enveloped, // {"id":1,"attributes":{…}}, relations below as {"data":…}
    component, // {"id":1,…}, relations below as {"data":…}
    raw,       // {"id":1,…}, and flat below as well
};

// Of the entries that an attribute leads to from an entry of shape `above`.
Shape shape_below(db::Attribute const& attribute, Shape above);

// What of an answer's JSON depends on its format.
struct Manner {
    Shape entry; // of the project's own types
    // documentId stands beside the attributes, not among them.
    bool sets_document_apart;
    // `__component` and `__type` are the last members; else they come right after the id.
    bool type_is_last;
    // A polymorphic relation to one entry has `__type` too.
    bool one_says_type;
    // Lists without entries are [], but those of media and of what is related to an entry
    // polymorphically are null, and a polymorphic list has no key.
    bool empty_can_be_null;
    // Below entries that are flat all the way down, counts stand as elsewhere, and the parts of a
    // zone say `__type`.
    bool wraps_flat_counts;
    bool flat_parts_say_type;
};

Manner const& manner_of(db::ReadPlan::Format format);

} // namespace fcgi
