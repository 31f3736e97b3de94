#pragma once

#include "db/plan/bind_context.hpp"
#include "db/plan/read_plan.hpp"

namespace db {

// Entries whose attributes are populated.
struct Populated {
    std::vector<Node>& nodes; // of the plan; the nodes below are added to them
    std::uint32_t node;       // the node that reads the entries
    ContentType const& type;
    parser::Publication shown; // of the entries below
};

// Binds `populate` of the root.
void bind_populate(BindContext& context, parser::Checked<parser::PopulateSet> const& set,
                   Populated const& root, parser::Place const& place);

} // namespace db
