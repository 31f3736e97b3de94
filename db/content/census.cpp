#include "db/content/census.hpp"

#include "db/schema/naming.hpp"

#include <algorithm>

namespace db {

void DocumentRows::take(std::uint64_t id, ContentType const& type, Record::Document const& said,
                        FilePlace const& place) {
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

void DocumentRows::found(std::uint64_t id, ContentType const& type, std::string_view document,
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

void DocumentRows::settle(ContentType const& type, std::string const& default_locale,
                          ContentErrors& errors) {
    for (auto& [id, row] : rows_)
        if (type.localized && !row.has_locale) row.locale = default_locale;
    join_localizations(errors);
    name_documents(type, errors);
    tell_apart(type, errors);
    if (type.draft_and_publish) add_drafts();
    std::map<std::string, std::uint64_t> firsts;
    for (auto& [id, row] : rows_)
        row.entry = row.document.empty() ? id : firsts.try_emplace(row.document, id).first->second;
}

// Returns the lowest id that the entry is joined to.
std::uint64_t DocumentRows::first_of(std::uint64_t id) {
    for (auto next = joined_.find(id); next != joined_.end(); next = joined_.find(id))
        id = next->second;
    return id;
}

void DocumentRows::join_localizations(ContentErrors& errors) {
    for (auto const& [id, row] : rows_)
        for (auto const other : row.localizations) {
            if (!rows_.contains(other)) {
                errors.add(row.place, "localizations: there is no entry " + std::to_string(other) +
                                          " in the folder");
                continue;
            }
            auto const [low, high] = std::minmax({first_of(id), first_of(other)});
            if (low != high) joined_[high] = low;
        }
}

void DocumentRows::name_documents(ContentType const& type, ContentErrors& errors) {
    std::map<std::uint64_t, std::string> names; // by the lowest of the joined ids
    for (auto const& [id, row] : rows_) {
        if (row.document.empty()) continue;
        auto const& name = names.try_emplace(first_of(id), row.document).first->second;
        if (name != row.document)
            errors.add(row.place, "documentId: expected the documentId of its localizations, " +
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
void DocumentRows::tell_apart(ContentType const& type, ContentErrors& errors) {
    for (auto const& [id, row] : rows_) {
        if (row.document.empty()) continue;
        auto const [same, is_new] =
            keys_.try_emplace({row.document, row.locale, !row.is_draft}, id);
        auto const& place = row.place.file.empty() ? rows_.at(same->second).place : row.place;
        if (is_new || place.file.empty()) continue;
        auto const [other, own] = std::minmax({same->second, id});
        errors.add(place, type.uid + ' ' + std::to_string(own) +
                              ": expected another document, locale or status than " +
                              std::to_string(other) + " has");
    }
}

// Adds drafts in the order of ids, so that the same folder always makes the same rows.
void DocumentRows::add_drafts() {
    std::map<std::uint64_t, DocumentRow> drafts;
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

DocumentRows::DocumentRow const* DocumentRows::find(std::uint64_t id) const {
    auto const found = rows_.find(id);
    return found == rows_.end() ? nullptr : &found->second;
}

std::vector<std::uint64_t> DocumentRows::rows_of(std::string const& document) const {
    std::vector<std::uint64_t> rows;
    for (auto at = keys_.lower_bound({document, "", false});
         at != keys_.end() && std::get<0>(at->first) == document; ++at)
        rows.push_back(at->second);
    std::ranges::stable_partition(rows, [this](auto id) { return !rows_.at(id).is_draft; });
    return rows;
}

// Strapi 5.54: relations link rows. A draft has drafts; a published row has published ones, and
// loses those that are not; a row that is neither has both. A type without drafts has only one row.
std::vector<std::uint64_t> DocumentRows::rows_for(Record::EntryReference const& target,
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
std::vector<std::uint64_t> DocumentRows::rows_for_entry(Record::EntryReference const& target,
                                                        Record::Standing const& from) const {
    auto const& row = rows_.at(target.id);
    std::uint64_t const draft = row.draft;
    if (!from.has_status && draft > 0) return {target.id, draft};
    if (from.is_draft && draft > 0) return {draft};
    if (from.is_whole && !from.is_draft && row.is_draft) return {};
    return {target.id};
}

void Census::take(ContentFile& file) {
    auto& type = types_[&file.type()]; // also for an empty file
    type.is_replaced = true;
    std::vector<std::string> problems;
    for (;;) {
        auto const object = file.next();
        if (object && !*object) break;
        problems.clear();
        if (object) {
            auto const record = read_record(schema_, file.type(), **object, problems);
            if (!(*object)->contains("id"))
                problems.emplace_back("id: expected the id of the entry");
            constraints_.check(file.type(), **object, problems);
            count(record, file.place());
        } else {
            problems.push_back(object.error().message);
            type.has_gaps = true;
        }
        for (auto const& problem : problems)
            errors_.add(file.place(), problem);
    }
    if (!file.is_cut_off()) return;
    errors_.add({file.place().file}, unreadable_file);
    type.has_gaps = true;
}

void Census::count(Record const& record, FilePlace const& place) {
    auto& type = types_[record.type];
    if (record.id > 0) {
        auto const [found, is_new] = type.lines.emplace(record.id, place.line);
        if (!is_new)
            return errors_.add(place, "id: expected an id of its own, but " +
                                          std::to_string(record.id) + " is the id of the " +
                                          record.type->uid + " in line " +
                                          std::to_string(found->second));
        type.last = std::max(type.last, record.id);
        if (record.type->has_documents)
            type.documents.take(record.id, *record.type, record.document, place);
    }
    for (auto const& links : record.links)
        for (auto const& target : links.targets)
            types_[target.type];
    for (auto const& parts : record.parts)
        for (auto const& part : parts.records)
            count(part, place);
}

parser::Result<void> Census::read_existing(Connection& connection) {
    for (auto const& [uid, type] : schema_.types) {
        auto const found =
            is_component(*type) ? types_.try_emplace(type.get()).first : types_.find(type.get());
        if (found == types_.end()) continue;
        auto& ids = found->second;
        if (auto read = read_rows(connection, *type, ids); !read) return read;
        if (!is_component(*type) && !ids.is_replaced) continue;
        if (auto read = read_parts(connection, *type, ids); !read) return read;
    }
    return {};
}

parser::Result<void> Census::read_rows(Connection& connection, ContentType const& type,
                                       TypeIds& ids) {
    SqlText sql =
        type.has_documents
            ? SqlPiece("SELECT `id`, `document_id`, `locale`, `published_at` IS NULL FROM ")
            : SqlPiece("SELECT `id` FROM ");
    auto rows = connection.query(sql.name(type.table));
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const id = rows->id(0);
        ids.existing.insert(id);
        ids.last = std::max(ids.last, id);
        if (!type.has_documents) continue;
        std::string const document(rows->text(1)), locale(rows->text(2));
        ids.documents.found(id, type, document, locale, rows->text(3) == "1", ids.is_replaced);
    }
    return {};
}

parser::Result<void> Census::read_parts(Connection& connection, ContentType const& type,
                                        TypeIds& ids) {
    auto const* link = parts_of(type);
    if (!link) return {};
    SqlText sql;
    (sql << "SELECT `entity_id`, `field`, ").name(link->target_column)
        << ", `component_type` FROM ";
    sql.name(link->table) << " ORDER BY `entity_id`, `field`, `order`, `id`";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    while (rows->next()) {
        auto& parts = ids.parts[{rows->id(0), std::string(rows->text(1))}];
        auto const id = rows->id(2);
        parts.emplace_back(schema_.find(rows->text(3)), id);
    }
    return {};
}

void Census::number_parts(Record& record) {
    auto const& stored = types_.at(record.type).parts;
    for (auto& parts : record.parts) {
        auto const before = stored.find({record.id, record.attribute(parts.attribute).name});
        for (std::size_t i = 0; i < parts.records.size(); ++i) {
            auto& part = parts.records[i];
            auto& ids = types_.at(part.type);
            bool const is_there = before != stored.end() && i < before->second.size() &&
                                  before->second[i].first == part.type;
            auto const old = is_there ? before->second[i].second : 0;
            // A line has taken it, or two rows have the same component.
            if (part.id == 0 && old > 0 && ids.lines.emplace(old, 0).second) part.id = old;
            if (part.id == 0) part.id = ++ids.last;
            number_parts(part);
        }
    }
}

void Census::settle(std::string const& default_locale) {
    for (auto& [type, ids] : types_)
        if (type->has_documents) ids.documents.settle(*type, default_locale, errors_);
}

bool Census::is_at(ContentType const& type, std::uint64_t id, std::size_t line) const {
    auto const& lines = types_.at(&type).lines;
    auto const found = lines.find(id);
    return found != lines.end() && found->second == line;
}

bool Census::has_gaps(ContentType const& type) const {
    return find(type).has_gaps;
}

ReplacedTypes Census::replaced() const {
    ReplacedTypes replaced;
    for (auto const& [type, ids] : types_)
        if (ids.is_replaced) replaced.types.insert(type);
    return replaced;
}

std::uint64_t Census::draft_of(ContentType const& type, std::uint64_t id) const {
    auto const* row = type.has_documents ? documents(type).find(id) : nullptr;
    return row ? row->draft : 0;
}

bool Census::existed(ContentType const& type, std::uint64_t id) const {
    return find(type).existing.contains(id);
}

bool Census::is_known(ContentType const& type, std::uint64_t id) const {
    auto const& ids = find(type);
    if (type.has_documents) return ids.documents.find(id);
    return ids.is_replaced ? ids.lines.contains(id) : ids.existing.contains(id);
}

Census::TypeIds const& Census::find(ContentType const& type) const {
    static TypeIds const none;
    auto const found = types_.find(&type);
    return found == types_.end() ? none : found->second;
}

} // namespace db
