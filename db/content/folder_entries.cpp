#include "db/content/folder_entries.hpp"

#include "db/plan/cast.hpp"

#include <algorithm>
#include <chrono>

namespace db {

namespace {

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

SqlText time_now() {
    using std::chrono::milliseconds;
    auto const now = std::chrono::system_clock::now().time_since_epoch();
    auto const milliseconds_now = std::chrono::duration_cast<milliseconds>(now).count();
    SqlText sql;
    sql.text(*cast_datetime(std::to_string(milliseconds_now)));
    return sql;
}

} // namespace

FolderEntries::FolderEntries(Connection& connection, Census& census, ReplacedTypes const& replaced,
                             Kept const& kept, Uniqueness& uniqueness, Mistakes& mistakes,
                             std::string default_locale)
    : connection_(connection),
      census_(census),
      replaced_(replaced),
      kept_(kept),
      mistakes_(mistakes),
      rows_(connection, mistakes, uniqueness, kept),
      now_(time_now()),
      default_locale_(std::move(default_locale)) {
}

parser::Result<void> FolderEntries::add(Record record, Origin const& place) {
    auto const draft_id = census_.draft_of(*record.type, record.id);
    if (draft_id == 0) return add_row(std::move(record), place);
    Record draft = record;
    draft.id = draft_id;
    value_of(draft, "publishedAt") = SqlPiece("NULL");
    forget_part_ids(draft);
    if (auto added = add_row(std::move(record), place); !added) return added;
    return add_row(std::move(draft), place);
}

parser::Result<void> FolderEntries::add_row(Record record, Origin const& place) {
    census_.number_parts(record);
    complete(record);
    if (auto done = rows_.add(record, place); !done) return done;
    add_links(record, end_of(*record.type, record.id), place);
    return {};
}

parser::Result<void> FolderEntries::write_pairs() {
    for (auto& [attribute, table] : links_)
        if (auto done = table->write(connection_, mistakes_); !done) return done;
    return {};
}

// Fills in what the document of the entry determines: documentId, publishedAt and standing.
void FolderEntries::complete_document(Record& record) const {
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

// Fills in what a line leaves out and the row has, and the values that Strapi gives to a new entry.
void FolderEntries::complete(Record& record) const {
    auto const& type = *record.type;
    if (type.has_documents) complete_document(record);
    bool const existed = census_.existed(type, record.id);
    bool const has_time = type.draft_and_publish || type.has_documents;
    for (std::size_t index = 0; index < type.attributes.size(); ++index) {
        auto const& attribute = type.attributes[index];
        auto const& name = attribute.name;
        auto& value = record.values[index];
        if (!value.empty() || !attribute.is_scalar()) continue;
        bool const is_time = Kept::is_time(type, attribute);
        if (existed && (is_time || is_credential(type, attribute)))
            value = kept_.value(type, record.id, attribute);
        else if (is_time && (name != "publishedAt" || has_time))
            value = now_;
        else if (name == "locale" && type.localized)
            value.text(default_locale_);
    }
    for (auto& parts : record.parts)
        for (auto& part : parts.records)
            complete(part);
}

void FolderEntries::add_links(Record const& record, LinkEnd entry, Origin const& place) {
    if (census_.existed(*record.type, record.id)) clear_links(record);
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
        if (auto* const table = link_table(*record.type, attribute))
            table->add(attribute, entry, targets);
    }
    for (auto const& parts : record.parts)
        for (auto const& part : parts.records)
            add_links(part, {part.id, part.id, entry.is_copy}, place);
}

// A relation that the line leaves out stays with types that the folder does not have.
void FolderEntries::clear_links(Record const& record) {
    for (std::size_t index = 0; index < record.type->attributes.size(); ++index) {
        auto const& attribute = record.attribute(index);
        bool const is_stored = attribute.link.place != Link::Place::none && !is_part(attribute) &&
                               attribute.link.entry_column == "id";
        if (!is_stored) continue;
        auto* const table = link_table(*record.type, attribute);
        if (!table) continue;
        bool const is_named =
            std::ranges::count(record.links, index, &Record::Links::attribute) > 0;
        if (is_named || (attribute.target && replaced_.contains(*attribute.target)))
            table->clear(attribute, record.id, nullptr);
        else if (attribute.is_polymorphic())
            table->clear(attribute, record.id, &replaced_);
    }
}

bool FolderEntries::are_known(Record::Links const& links, Attribute const& attribute,
                              Origin const& place) {
    bool are_known = true;
    for (auto const& target : links.targets) {
        if (is_known(target)) continue;
        are_known = false;
        if (!census_.has_gaps(*target.type))
            mistakes_.add(place, attribute.name + ": there is no " + target.type->uid + ' ' +
                                     target.name() +
                                     (replaced_.contains(*target.type)
                                          ? " in the folder"
                                          : ", neither in the folder nor in the database"));
    }
    return are_known;
}

LinkEnd FolderEntries::end_of(ContentType const& type, std::uint64_t id) const {
    auto const* row = type.has_documents ? census_.documents(type).find(id) : nullptr;
    bool const is_others = !replaced_.contains(type);
    bool const is_copy = row && row->place.file.empty() && !is_others;
    return {id, row ? row->entry : id, is_copy, is_others};
}

bool FolderEntries::is_known(Record::Reference const& target) const {
    if (target.document.empty()) return census_.is_known(*target.type, target.id);
    return !census_.documents(*target.type).rows_of(target.document).empty();
}

std::vector<LinkTable::Linked> FolderEntries::rows_of(Record::Reference const& target,
                                                      Record::Standing const& from) const {
    std::vector<std::uint64_t> ids{target.id};
    if (target.type->has_documents)
        ids = census_.documents(*target.type).rows_for(target, from, default_locale_);
    std::vector<LinkTable::Linked> rows;
    for (auto const id : ids)
        rows.push_back({end_of(*target.type, id), target.type, target.field});
    return rows;
}

// Returns null if the relation has no owner that is known.
LinkTable* FolderEntries::link_table(ContentType const& type, Attribute const& attribute) {
    auto const* owning = attribute.owns_link ? &attribute : attribute.other_side();
    if (!owning) return nullptr;
    auto& found = links_[owning];
    if (!found)
        found =
            std::make_unique<LinkTable>(attribute.owns_link ? type : *attribute.target, *owning);
    return found.get();
}

} // namespace db
