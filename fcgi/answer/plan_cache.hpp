#pragma once

#include "db/read/select.hpp"
#include "db/schema/permissions.hpp"
#include "fcgi/access/content_key.hpp"
#include "parser/base/client_hash.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

namespace fcgi {

// Holds plans of earlier requests by the bytes that they were bound from, so that a request that
// came before is not parsed, read and bound again. Lives as long as the schema and the options that
// the plans were bound with. Any thread.
class PlanCache {
  public:
    using Plan = std::shared_ptr<db::SelectedPlan const>;
    using Permissions = std::shared_ptr<db::Permissions const>;

    using Key = ContentKey;

    Plan find(Key const& key) const; // null: not there
    void keep(Key const& key, Plan plan);

  private:
    struct Entry {
        Plan plan;
        // This is held so that no other permissions can get the same address.
        Permissions permissions;
    };

    using Entries = std::unordered_map<std::string, Entry, parser::ClientHash>;

    mutable std::mutex mutex_;
    Entries entries_;
    std::size_t bytes_ = 0; // about what the entries take
};

} // namespace fcgi
