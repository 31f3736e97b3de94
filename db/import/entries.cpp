#include "db/import/entries.hpp"

#include "db/plan/cast_datetime.hpp"

#include <chrono>

namespace db {

namespace {

constexpr std::size_t compared_at_once = 500;

std::vector<std::string> columns_of(ContentType const& type) {
    std::vector<std::string> columns{"id"};
    for (auto const& attribute : type.attributes)
        if (attribute.is_scalar()) columns.push_back(attribute.column);
    return columns;
}

// Sets what the relations of an entry and of its components depend on.
void stand(Record& record, Record::Standing const& standing) {
    record.standing = standing;
    for (auto& parts : record.parts)
        for (auto& part : parts.records)
            stand(part, standing);
}

// Clears the ids of components, each of which belongs to one row.
void forget_part_ids(Record& record) {
    for (auto& parts : record.parts)
        for (auto& part : parts.records) {
            part.id = 0;
            forget_part_ids(part);
        }
}

SqlText& value_of(Record& record, std::string_view attribute) {
    auto const* found = record.type->find(attribute);
    return record.values[static_cast<std::size_t>(found - record.type->attributes.data())];
}

} // namespace

Entries::Entries(Connection& connection, Schema const& schema, Census& census,
                 Constraints const& constraints, Mistakes& mistakes, std::string default_locale,
                 bool is_update)
    : connection_(connection),
      census_(census),
      mistakes_(mistakes),
      constraints_(constraints),
      uniqueness_(connection, constraints, mistakes),
      default_locale_(std::move(default_locale)),
      is_update_(is_update),
      removal_(connection, schema) {
    using std::chrono::milliseconds;
    auto const now = std::chrono::system_clock::now().time_since_epoch();
    auto const milliseconds_now = std::chrono::duration_cast<milliseconds>(now).count();
    now_.text(*cast_datetime(std::to_string(milliseconds_now)));
}

parser::Result<void> Entries::add(Record record, Origin const& place) {
    bool const existed = census_.existed(*record.type, record.id);
    ++(existed ? existed_ : added_);
    complete(record, !existed);
    if (!record.standing.is_whole) return add_row(std::move(record), place);
    Record draft = record;
    if (auto added = add_row(std::move(record), place); !added) return added;
    draft.id = census_.documents(*draft.type).find(draft.id)->draft;
    value_of(draft, "publishedAt") = SqlPiece("NULL");
    forget_part_ids(draft);
    complete(draft, !census_.existed(*draft.type, draft.id));
    return add_row(std::move(draft), place);
}

parser::Result<void> Entries::add_row(Record record, Origin const& place) {
    if (!census_.existed(*record.type, record.id)) return insert(record, record.id, place);
    bool const is_other_type = !waiting_.empty() && waiting_.front().record->type != record.type;
    if (is_other_type || waiting_.size() >= compared_at_once)
        if (auto compared = compare_waiting(); !compared) return compared;
    records_.push_back(std::move(record));
    waiting_.push_back({&records_.back(), records_.back().id, place, waiting_.size()});
    return {};
}

parser::Result<void> Entries::finish() {
    if (auto updated = update(); !updated) return updated;
    for (auto& [table, insertion] : insertions_)
        if (auto done = insertion->flush(); !done) return done;
    if (auto checked = uniqueness_.check(); !checked) return checked;
    for (auto& [attribute, table] : links_)
        if (auto done = table->write(connection_, mistakes_, changed_in_links_); !done) return done;
    return touch();
}

ImportCount Entries::count() const {
    std::set<std::pair<ContentType const*, std::size_t>> lines; // rows of a document share one
    for (auto const* changed : {&changed_, &changed_in_links_})
        for (auto const& source : *changed)
            lines.emplace(source.type, source.line);
    ImportCount count;
    count.added = added_;
    count.changed = lines.size();
    count.skipped = existed_ - lines.size();
    return count;
}

// Fills in what the document of the entry determines: documentId, publishedAt and standing.
void Entries::complete_document(Record& record) const {
    auto const& type = *record.type;
    auto const& row = *census_.documents(type).find(record.id);
    auto& document = value_of(record, document_attribute);
    if (document.empty() && !row.document.empty()) document.text(row.document);
    auto& published = value_of(record, "publishedAt");
    if (published.empty() && row.is_draft) published = SqlPiece("NULL");
    stand(record, {.has_status = type.draft_and_publish,
                   .is_draft = row.is_draft,
                   .is_whole = row.draft > 0,
                   .is_localized = type.localized,
                   .locale = row.locale});
}

// Fills in the values that Strapi gives to an entry that lacks them.
void Entries::complete(Record& record, bool is_new) const {
    if (record.type->has_documents) complete_document(record);
    auto const& attributes = record.type->attributes;
    for (std::size_t index = 0; index < attributes.size(); ++index) {
        auto const& name = attributes[index].name;
        auto& value = record.values[index];
        if (!value.empty() || !attributes[index].is_scalar()) continue;
        if (name == "locale" && record.type->localized) value.text(default_locale_);
        bool const has_time = record.type->draft_and_publish || record.type->has_documents;
        bool const is_time =
            name == "createdAt" || name == "updatedAt" || (name == "publishedAt" && has_time);
        if (is_time && is_new) value = now_;
    }
}

parser::Result<void> Entries::insert(Record const& record, std::uint64_t id, Origin const& place) {
    auto const& type = *record.type;
    auto row = rows_of(type).row(place);
    if (!row) return row.error();
    row->next().integer(id);
    for (std::size_t index = 0; index < type.attributes.size(); ++index) {
        if (!type.attributes[index].is_scalar()) continue;
        if (record.values[index].empty())
            row->next() << "NULL";
        else
            row->next() << record.values[index];
    }
    uniqueness_.take(type, id, place);
    if (auto done = insert_parts(record, id, place); !done) return done;
    add_links(record, end_of(type, id), place);
    return {};
}

parser::Result<void> Entries::insert_parts(Record const& record, std::uint64_t id,
                                           Origin const& place) {
    for (auto const& parts : record.parts) {
        auto const& attribute = record.attribute(parts.attribute);
        std::uint64_t order = 0;
        for (auto const& part : parts.records) {
            auto const part_id = part.id > 0 ? part.id : census_.new_component(*part.type);
            if (auto done = insert(part, part_id, place); !done) return done;
            auto row = parts_of(*record.type, attribute).row(place);
            if (!row) return row.error();
            row->next().integer(id);
            row->next().integer(part_id);
            row->next().text(part.type->uid);
            row->next().text(attribute.name);
            // Strapi numbers the components of a list; a single one has no order.
            if (attribute.many)
                row->next().integer(++order);
            else
                row->next() << "NULL";
        }
    }
    return {};
}

parser::Result<void> Entries::compare_waiting() {
    auto const compared = compare(connection_, waiting_);
    if (!compared) return compared.error();
    auto const changes = changes_of(*compared);
    for (auto const& row : compared->rows) {
        auto const& entry = waiting_[row.entry];
        bool const is_made_anew = row.record != entry.record && changes[row.entry] == Change::parts;
        if (is_made_anew) continue;
        auto end = end_of(*row.record->type, row.id);
        end.existed = true; // components existed, too
        end.source = source_of(entry);
        add_links(*row.record, end, row.place);
    }
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        if (changes[i] == Change::none) continue;
        changing_.push_back({records_[i], waiting_[i], changes[i]});
        changing_.back().stored.record = &changing_.back().record;
        if (changes[i] == Change::row) continue;
        if (auto kept = keep_credentials(changing_.back().record); !kept) return kept;
        auto const removed = removal_.parts_of(*records_[i].type, {waiting_[i].id});
        if (!removed) return removed;
    }
    if (auto made = make_room(*compared); !made) return made;
    waiting_.clear();
    records_.clear();
    return {};
}

// Returns the change of each waiting entry. A difference is an error unless this is an update.
std::vector<Entries::Change> Entries::changes_of(Comparison const& comparison) {
    std::vector<Change> changes(waiting_.size(), Change::none);
    for (auto const& [stored, attribute] : comparison.differences) {
        auto const& type = *stored.record->type;
        bool const is_of_row = stored.record == waiting_[stored.entry].record;
        bool const is_scalar = is_of_row && type.find(attribute)->is_scalar();
        if (is_update_)
            changes[stored.entry] =
                std::max(changes[stored.entry], is_scalar ? Change::row : Change::parts);
        else
            mistakes_.add(stored.place, attribute + ": the database has another value for " +
                                            type.uid + ' ' + std::to_string(stored.id) +
                                            "; entries that exist are not changed");
    }
    return changes;
}

void Entries::add_links(Record const& record, LinkEnd entry, Origin const& place) {
    for (auto const& links : record.links) {
        auto const& attribute = record.attribute(links.attribute);
        if (!are_known(links, attribute, place)) continue;
        std::vector<LinkTable::Linked> targets;
        for (auto const& target : links.targets) {
            auto rows = rows_of(target, record.standing);
            // A polymorphic relation links only the row that is named, and a column holds only one.
            bool const is_one =
                attribute.is_polymorphic() || attribute.link.place == Link::Place::parent_column;
            if (is_one && rows.size() > 1) rows.resize(1);
            targets.insert(targets.end(), rows.begin(), rows.end());
        }
        link_table(*record.type, attribute).add(attribute, entry, targets);
    }
}

bool Entries::are_known(Record::Links const& links, Attribute const& attribute,
                        Origin const& place) {
    bool are_known = true;
    for (auto const& target : links.targets) {
        if (is_known(target)) continue;
        are_known = false;
        if (!census_.has_gaps(*target.type))
            mistakes_.add(place, attribute.name + ": there is no " + target.type->uid + ' ' +
                                     target.name() + ", neither in the folder nor in the database");
    }
    return are_known;
}

LinkEnd Entries::end_of(ContentType const& type, std::uint64_t id) const {
    auto const* row = type.has_documents ? census_.documents(type).find(id) : nullptr;
    bool const existed = census_.existed(type, id);
    return {id, row ? row->entry : id, existed, !existed && row && row->place.file.empty()};
}

bool Entries::is_known(Record::Reference const& target) const {
    if (target.document.empty()) return census_.is_known(*target.type, target.id);
    return !census_.documents(*target.type).rows_of(target.document).empty();
}

std::vector<LinkTable::Linked> Entries::rows_of(Record::Reference const& target,
                                                Record::Standing const& from) const {
    std::vector<std::uint64_t> ids{target.id};
    if (target.type->has_documents)
        ids = census_.documents(*target.type).rows_for(target, from, default_locale_);
    std::vector<LinkTable::Linked> rows;
    for (auto const id : ids)
        rows.push_back({end_of(*target.type, id), target.type, target.field});
    return rows;
}

Insertion& Entries::rows_of(ContentType const& type) {
    auto& found = insertions_[type.table];
    if (!found)
        found = std::make_unique<Insertion>(connection_, mistakes_, type.table, columns_of(type));
    return *found;
}

Insertion& Entries::parts_of(ContentType const& type, Attribute const& attribute) {
    auto& found = insertions_[attribute.link.table];
    if (found) return *found;
    auto const& link = attribute.link;
    std::vector<std::string> const columns{link.parent_column, link.target_column, "component_type",
                                           link.field_column, link.order_column};
    found =
        std::make_unique<Insertion>(connection_, mistakes_, link.table, columns, &rows_of(type));
    return *found;
}

LinkTable& Entries::link_table(ContentType const& type, Attribute const& attribute) {
    auto const* owning = attribute.owns_link ? &attribute : attribute.other_side();
    auto& found = links_[owning];
    if (!found)
        found = std::make_unique<LinkTable>(attribute.owns_link ? type : *attribute.target, *owning,
                                            is_update_);
    return *found;
}

} // namespace db
