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

std::vector<std::string> const part_columns{"entity_id", "component_id", "component_type", "field",
                                            "order"};

} // namespace

Entries::Entries(Connection& connection, Census& census, std::string default_locale)
    : connection_(connection), census_(census) {
    default_locale_.text(default_locale);
    using std::chrono::milliseconds;
    auto const now = std::chrono::system_clock::now().time_since_epoch();
    auto const milliseconds_now = std::chrono::duration_cast<milliseconds>(now).count();
    now_.text(*cast_datetime(std::to_string(milliseconds_now)));
}

parser::Result<void> Entries::add(Record record, Origin const& place) {
    bool const existed = census_.existed(*record.type, record.id);
    complete(record, !existed);
    if (!existed) {
        ++count_.added;
        return insert(record, record.id, place);
    }
    ++count_.skipped;
    bool const is_other_type = !waiting_.empty() && waiting_.front().record->type != record.type;
    if (is_other_type || waiting_.size() >= compared_at_once)
        if (auto compared = compare_waiting(); !compared) return compared;
    records_.push_back(std::move(record));
    waiting_.push_back({&records_.back(), records_.back().id, place});
    return {};
}

parser::Result<void> Entries::finish() {
    if (auto compared = compare_waiting(); !compared) return compared;
    for (auto& [table, insertion] : insertions_)
        if (auto done = insertion->flush(); !done) return done;
    for (auto& [attribute, table] : links_)
        if (auto done = table->write(connection_); !done) return done;
    return {};
}

// The values that Strapi fills in for an entry that does not have them.
void Entries::complete(Record& record, bool is_new) const {
    auto const& attributes = record.type->attributes;
    for (std::size_t index = 0; index < attributes.size(); ++index) {
        auto const& name = attributes[index].name;
        auto& value = record.values[index];
        if (!value.empty() || !attributes[index].is_scalar()) continue;
        if (name == "locale" && record.type->localized) value = default_locale_;
        bool const is_time = name == "createdAt" || name == "updatedAt" ||
                             (name == "publishedAt" && record.type->draft_and_publish);
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
    if (auto done = insert_parts(record, id, place); !done) return done;
    return add_links(record, {id, false}, place);
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
            // As Strapi numbers them: one that is alone has no place.
            if (attribute.many)
                row->next().integer(++order);
            else
                row->next() << "NULL";
        }
    }
    return {};
}

parser::Result<void> Entries::compare_waiting() {
    auto compared = compare(connection_, waiting_, [this](Stored const& same) {
        return add_links(*same.record, {same.id, true}, same.place);
    });
    waiting_.clear();
    records_.clear();
    return compared;
}

parser::Result<void> Entries::add_links(Record const& record, LinkEnd entry, Origin const& place) {
    for (auto const& links : record.links) {
        auto const& attribute = record.attribute(links.attribute);
        std::vector<LinkTable::Linked> targets;
        for (auto const& [type, id, field] : links.targets) {
            if (!census_.is_known(*type, id))
                return import_error(place, attribute.name + ": there is no " + type->uid + ' ' +
                                               std::to_string(id) +
                                               ", neither in the folder nor in the database");
            targets.push_back({{id, census_.existed(*type, id)}, type, field});
        }
        link_table(*record.type, attribute).add(attribute, entry, targets);
    }
    return {};
}

Insertion& Entries::rows_of(ContentType const& type) {
    auto& found = insertions_[type.table];
    if (!found) found = std::make_unique<Insertion>(connection_, type.table, columns_of(type));
    return *found;
}

Insertion& Entries::parts_of(ContentType const& type, Attribute const& attribute) {
    auto& found = insertions_[attribute.link.table];
    if (!found)
        found = std::make_unique<Insertion>(connection_, attribute.link.table, part_columns,
                                            &rows_of(type));
    return *found;
}

LinkTable& Entries::link_table(ContentType const& type, Attribute const& attribute) {
    auto const* owning = attribute.owns_link ? &attribute : attribute.other_side();
    auto& found = links_[owning];
    if (!found)
        found =
            std::make_unique<LinkTable>(attribute.owns_link ? type : *attribute.target, *owning);
    return *found;
}

} // namespace db
