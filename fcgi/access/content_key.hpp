#pragma once

#include "db/plan/read_plan.hpp"
#include "db/schema/permissions.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace fcgi {

// Identifies content: a raw path and query, as a caller with these very permissions asks for them
// in a format. Whoever stores something by it holds the permissions too, so that no others can get
// their address.
struct ContentKey {
    std::shared_ptr<db::Permissions const> const& permissions;
    std::string_view path;
    std::string_view query;
    db::ReadPlan::Format document_format;

    // Returns the key with room for `more` bytes behind it.
    std::string text(std::size_t more = 0) const;
};

} // namespace fcgi
