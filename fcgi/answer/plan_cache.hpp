#pragma once

#include "db/plan/permissions.hpp"
#include "db/select/select.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace fcgi {

// Plans of earlier requests, found again by the bytes that they were bound from, so that a request
// that came before is not parsed, read and bound again. Lives as long as the schema and the options
// that the plans were bound with. Any thread.
class PlanCache {
  public:
    using Plan = std::shared_ptr<db::SelectedPlan const>;
    using Permissions = std::shared_ptr<db::Permissions const>;

    // A raw path and query, as a caller with these very permissions asks for them in a format.
    struct Key {
        Permissions const& permissions;
        std::string_view path;
        std::string_view query;
        db::ReadPlan::Format document_format;
    };

    Plan find(Key const& key) const; // null: not there
    void keep(Key const& key, Plan plan);

  private:
    struct Entry {
        Plan plan;
        // Held, so that no other permissions can come to have its address.
        Permissions permissions;
    };
    static std::string text_of(Key const& key);

    mutable std::mutex mutex_;
    std::unordered_map<std::string, Entry> entries_;
    std::size_t bytes_ = 0; // about what the entries hold
};

} // namespace fcgi
