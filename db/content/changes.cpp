#include "db/content/changes.hpp"

#include "db/content/stored_entries.hpp"

#include <algorithm>

namespace db {

parser::Result<Fingerprints> read_fingerprints(Connection& connection, Schema const& schema,
                                               Census const& census) {
    ExportOptions const all{.with_secrets = true};
    LeftBehind const ignored = [](std::string const&) {};
    auto const replaced = census.replaced();
    StoredEntries stored(connection, schema, all, ignored,
                         [&](ContentType const& type, std::uint64_t id) {
                             return !replaced.contains(type) ||
                                    (census.existed(type, id) && census.is_known(type, id));
                         });
    Fingerprints fingerprints;
    for (auto const* type : replaced.types()) {
        auto const objects = stored.read(*type);
        if (!objects) return objects.error();
        auto& hashes = fingerprints[type];
        for (auto const& [id, members] : *objects)
            hashes.emplace(id, std::hash<std::string>()(members));
    }
    return fingerprints;
}

Changes::Changes(Fingerprints const& before, Fingerprints const& after, Census const& census) {
    for (auto const& [type, old] : before) {
        auto const& now = after.at(type);
        auto& count = counts_[type->uid];
        auto const is_other = [&](std::uint64_t id) {
            return old.contains(id) && old.at(id) != now.at(id);
        };
        for (auto const& [id, line] : census.lines(*type)) {
            auto const draft = census.draft_of(*type, id);
            ++(!old.contains(id)                 ? count.added
               : is_other(id) || is_other(draft) ? count.changed
                                                 : count.unchanged);
        }
        count.removed = static_cast<std::size_t>(std::ranges::count_if(
            old, [&](auto const& entry) { return !now.contains(entry.first); }));
    }
}

ImportCount Changes::total() const {
    ImportCount total;
    for (auto const& [uid, count] : counts_) {
        total.added += count.added;
        total.changed += count.changed;
        total.removed += count.removed;
        total.unchanged += count.unchanged;
    }
    return total;
}

void Changes::tell(std::function<void(std::string const&)> const& tell) const {
    for (auto const& [uid, count] : counts_)
        if (tell && count.changed + count.removed > 0)
            tell(uid + ": " + std::to_string(count.changed) + " entries are changed, " +
                 std::to_string(count.removed) + " are removed");
}

} // namespace db
