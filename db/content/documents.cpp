#include "db/content/documents.hpp"

#include "db/schema/naming.hpp"

#include <algorithm>

namespace db {

void Documents::take(std::uint64_t id, ContentType const& type, Record::Document const& said,
                     Origin const& place) {
    auto& row = rows_[id];
    last_ = std::max(last_, id);
    row.document = said.id;
    row.is_given = !said.id.empty() || said.is_none;
    row.has_locale = said.locale.has_value();
    row.locale = said.locale.value_or("");
    row.has_status = said.has_status;
    row.is_draft = type.draft_and_publish && !said.is_published;
    row.place = place;
    row.localizations = said.localizations;
}

void Documents::found(std::uint64_t id, ContentType const& type, std::string_view document,
                      std::string_view locale, bool has_no_time, bool is_to_go) {
    last_ = std::max(last_, id);
    bool const is_draft = type.draft_and_publish && has_no_time;
    if (is_to_go && !rows_.contains(id)) {
        if (is_draft) to_go_.try_emplace({std::string(document), std::string(locale), false}, id);
        return;
    }
    auto const [at, is_new] = rows_.try_emplace(id);
    auto& row = at->second;
    if (!row.is_given) row.document = document;
    if (!row.has_status) row.is_draft = is_draft;
    if (!is_new) return;
    row.locale = locale;
    row.has_locale = true;
}

void Documents::settle(ContentType const& type, std::string const& default_locale,
                       Mistakes& mistakes) {
    for (auto& [id, row] : rows_)
        if (type.localized && !row.has_locale) row.locale = default_locale;
    join_localizations(mistakes);
    name_documents(type, mistakes);
    tell_apart(type, mistakes);
    if (type.draft_and_publish) add_drafts();
    std::map<std::string, std::uint64_t> firsts;
    for (auto& [id, row] : rows_)
        row.entry = row.document.empty() ? id : firsts.try_emplace(row.document, id).first->second;
}

// Returns the lowest id that the entry is joined to.
std::uint64_t Documents::first_of(std::uint64_t id) {
    for (auto next = joined_.find(id); next != joined_.end(); next = joined_.find(id))
        id = next->second;
    return id;
}

void Documents::join_localizations(Mistakes& mistakes) {
    for (auto const& [id, row] : rows_)
        for (auto const other : row.localizations) {
            if (!rows_.contains(other)) {
                mistakes.add(row.place, "localizations: there is no entry " +
                                            std::to_string(other) + " in the folder");
                continue;
            }
            auto const [low, high] = std::minmax({first_of(id), first_of(other)});
            if (low != high) joined_[high] = low;
        }
}

void Documents::name_documents(ContentType const& type, Mistakes& mistakes) {
    std::map<std::uint64_t, std::string> names; // by the lowest of the joined ids
    for (auto const& [id, row] : rows_) {
        if (row.document.empty()) continue;
        auto const& name = names.try_emplace(first_of(id), row.document).first->second;
        if (name != row.document)
            mistakes.add(row.place, "documentId: expected the documentId of its localizations, " +
                                        name + ", received " + row.document);
    }
    for (auto& [id, row] : rows_) {
        bool const is_named = !row.document.empty() || row.is_given || row.place.file.empty();
        if (is_named) continue;
        auto& name = names[first_of(id)];
        if (name.empty()) name = stable_document_id(type.uid, std::to_string(first_of(id)));
        row.document = name;
    }
}

// Reports rows of one document that have the same locale and status.
void Documents::tell_apart(ContentType const& type, Mistakes& mistakes) {
    for (auto const& [id, row] : rows_) {
        if (row.document.empty()) continue;
        auto const [same, is_new] =
            keys_.try_emplace({row.document, row.locale, !row.is_draft}, id);
        auto const& place = row.place.file.empty() ? rows_.at(same->second).place : row.place;
        if (is_new || place.file.empty()) continue;
        auto const [other, own] = std::minmax({same->second, id});
        mistakes.add(place, type.uid + ' ' + std::to_string(own) +
                                ": expected another document, locale or status than " +
                                std::to_string(other) + " has");
    }
}

// Adds drafts in the order of ids, so that the same folder always makes the same rows.
void Documents::add_drafts() {
    std::map<std::uint64_t, Row> drafts;
    for (auto& [id, row] : rows_) {
        bool const has_none = row.is_draft || row.document.empty() || row.place.file.empty();
        if (has_none) continue;
        Key const key(row.document, row.locale, false);
        auto const before = to_go_.find(key);
        auto const [known, is_new] =
            keys_.try_emplace(key, before == to_go_.end() ? last_ + 1 : before->second);
        auto const entry = is_new ? rows_.end() : rows_.find(known->second);
        if (entry != rows_.end() && !entry->second.place.file.empty()) continue;
        row.draft = known->second;
        if (!is_new) continue;
        last_ = std::max(last_, row.draft);
        auto& draft = drafts[row.draft];
        draft.document = row.document;
        draft.locale = row.locale;
        draft.is_draft = true;
    }
    rows_.merge(drafts);
}

Documents::Row const* Documents::find(std::uint64_t id) const {
    auto const found = rows_.find(id);
    return found == rows_.end() ? nullptr : &found->second;
}

std::vector<std::uint64_t> Documents::rows_of(std::string const& document) const {
    std::vector<std::uint64_t> rows;
    for (auto at = keys_.lower_bound({document, "", false});
         at != keys_.end() && std::get<0>(at->first) == document; ++at)
        rows.push_back(at->second);
    std::ranges::stable_partition(rows, [this](auto id) { return !rows_.at(id).is_draft; });
    return rows;
}

// Strapi 5.54: relations link rows. A draft has drafts; a published row has published ones, and
// loses those that are not; a row that is neither has both. A type without drafts has only one row.
std::vector<std::uint64_t> Documents::rows_for(Record::Reference const& target,
                                               Record::Standing const& from,
                                               std::string const& default_locale) const {
    if (target.document.empty()) return rows_for_entry(target, from);
    auto const& type = *target.type;
    auto const& locale = from.is_localized ? from.locale : default_locale;
    auto rows = rows_of(target.document);
    std::erase_if(rows, [&](std::uint64_t id) {
        auto const& row = rows_.at(id);
        if (type.localized && row.locale != locale) return true;
        return type.draft_and_publish && from.has_status && row.is_draft != from.is_draft;
    });
    return rows;
}

// An id names a row, and also its draft if the folder does not have that.
std::vector<std::uint64_t> Documents::rows_for_entry(Record::Reference const& target,
                                                     Record::Standing const& from) const {
    auto const& row = rows_.at(target.id);
    std::uint64_t const draft = row.draft;
    if (!from.has_status && draft > 0) return {target.id, draft};
    if (from.is_draft && draft > 0) return {draft};
    if (from.is_whole && !from.is_draft && row.is_draft) return {};
    return {target.id};
}

} // namespace db
