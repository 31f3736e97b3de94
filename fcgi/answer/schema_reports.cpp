#include "fcgi/answer/schema_reports.hpp"

#include "db/read/existing.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace fcgi {

void SchemaReports::report_release(db::Schema const& schema) {
    auto const& newest = schema.cms.newest;
    auto const& release = schema.release;
    bool const is_unknown = release && release->major == newest.major && *release > newest;
    {
        std::lock_guard const lock(mutex_);
        if (std::exchange(release_is_unknown_, is_unknown) == is_unknown) return;
    }
    if (is_unknown)
        observe_(Notice{"release-unknown", {release->text(), newest.text()}});
    else
        observe_(Notice{"release-known", {}, 0});
}

void SchemaReports::report_lacks(db::Schema const& schema) {
    constexpr std::size_t few = 5;
    auto const& lacks = schema.lacks;
    {
        std::lock_guard const lock(mutex_);
        if (lacks == lacks_) return;
        lacks_ = lacks;
    }
    std::string what;
    for (std::size_t i = 0; i < std::min(lacks.size(), few); ++i)
        what.append(what.empty() ? "" : "; ").append(lacks[i].what);
    if (lacks.size() > few) what += "; …";
    observe_(
        Notice{lacks.empty() ? EventId("schema-complete") : "schema-lacks", {what}, lacks.size()});
}

void SchemaReports::report_indexes(db::Connection& connection, Freshness const& fresh) {
    constexpr auto interval = std::chrono::seconds(30);
    if (options_.indexes.empty()) return;
    {
        std::lock_guard const lock(mutex_);
        bool const is_recent = looked_at_indexes_ && fresh.now() - *looked_at_indexes_ < interval;
        if (is_recent && !fresh.knows_changes()) return;
        looked_at_indexes_ = fresh.now();
    }
    auto indexes = db::read_index_file(options_.indexes);
    auto const missing =
        indexes ? db::missing_indexes(connection, *std::move(indexes)) : indexes.error();
    if (indexes && !missing) (void)connection.resume(); // the request does not need it
    std::string what;
    if (!missing)
        what = indexes ? missing.error().cause : missing.error().message;
    else
        for (db::Index const& index : *missing)
            what.append(what.empty() ? "" : ", ").append(name_of(index));
    {
        std::lock_guard const lock(mutex_);
        if (what == indexes_) return;
        indexes_ = what;
    }
    if (!missing)
        observe_(Notice{"indexes-unknown", {what}, 0});
    else if (missing->empty())
        observe_(Notice{"indexes-complete", {}, 0});
    else
        observe_(Notice{"indexes-missing", {what}, missing->size()});
}

void SchemaReports::look_again() {
    std::lock_guard const lock(mutex_);
    looked_at_indexes_.reset();
}

} // namespace fcgi
