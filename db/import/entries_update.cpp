#include "db/import/entries.hpp"

#include <algorithm>

// Entries that existed and are to be what the folder says.

namespace db {

namespace {

// The value that a line has is stored. One that it leaves out is NULL, as it is in a new entry, but
// for the times and credentials: an entry stays created and published when it was, is updated now,
// and is known by what it was known by.
SqlText assignments(Record const& record, SqlText const& now) {
    SqlText sql;
    for (std::size_t index = 0; index < record.values.size(); ++index) {
        auto const& attribute = record.attribute(index);
        auto const& value = record.values[index];
        bool const stays = value.empty() && is_credential(*record.type, attribute);
        if (!attribute.is_scalar() || stays) continue;
        sql << (sql.empty() ? SqlPiece("") : SqlPiece(", "));
        sql.name(attribute.column) << " = ";
        if (!value.empty())
            sql << value;
        else if (attribute.name == "updatedAt")
            sql << now;
        else if (attribute.name == "createdAt" || attribute.name == "publishedAt")
            (sql << "COALESCE(").name(attribute.column) << ", " << now << ")";
        else
            sql << "NULL";
    }
    return sql;
}

} // namespace

Source Entries::source_of(Stored const& entry) const {
    auto const& type = *entry.record->type;
    auto const* updated = type.find("updatedAt");
    auto const index = updated - type.attributes.data();
    bool const has_time = updated && !entry.record->values[static_cast<std::size_t>(index)].empty();
    return {&type, entry.id, entry.place.line, has_time};
}

// Values that no two rows may share may go from one to the other.
parser::Result<void> Entries::make_room(Comparison const& comparison) {
    if (!is_update_) return {};
    for (auto const& [stored, name] : comparison.differences) {
        auto const& type = *stored.record->type;
        auto const* attribute = type.find(name);
        if (!std::ranges::count(constraints_.unique(type), attribute)) continue;
        SqlText sql;
        (sql << "UPDATE ").name(type.table) << " SET ";
        sql.name(attribute->column) << " = NULL WHERE `id` = ";
        if (auto done = connection_.command(sql.integer(stored.id)); !done) return done;
    }
    return {};
}

// Components are made anew, so what their line leaves out would go with the old ones.
parser::Result<void> Entries::keep_credentials(Record& record) {
    for (auto& parts : record.parts)
        for (auto& part : parts.records) {
            for (std::size_t index = 0; index < part.values.size(); ++index) {
                auto const& attribute = part.attribute(index);
                bool const stays = part.id > 0 && part.values[index].empty();
                if (!stays || !is_credential(*part.type, attribute)) continue;
                SqlText sql;
                (sql << "SELECT ").name(attribute.column) << " FROM ";
                sql.name(part.type->table) << " WHERE `id` = ";
                auto rows = connection_.query(sql.integer(part.id));
                if (!rows) return rows.error();
                if (rows->next() && rows->text(0).data()) part.values[index].text(rows->text(0));
            }
            if (auto done = keep_credentials(part); !done) return done;
        }
    return {};
}

parser::Result<void> Entries::update() {
    if (auto compared = compare_waiting(); !compared) return compared;
    for (auto const& [record, stored, change] : changing_) {
        if (change == Change::parts)
            if (auto done = insert_parts(record, stored.id, stored.place); !done) return done;
        if (auto done = update_row(stored); !done) return done;
    }
    changing_.clear();
    return {};
}

parser::Result<void> Entries::update_row(Stored const& stored) {
    auto const& type = *stored.record->type;
    SqlText sql;
    (sql << "UPDATE ").name(type.table) << " SET " << assignments(*stored.record, now_);
    auto done = connection_.command((sql << " WHERE `id` = ").integer(stored.id));
    if (!done && !is_refusal(done.error())) return done;
    if (!done) mistakes_.add(stored.place, refusal(done.error()));
    uniqueness_.take(type, stored.id, stored.place);
    changed_.insert(source_of(stored));
    return {};
}

// Entries are updated, too, where only what they are related to is another.
parser::Result<void> Entries::touch() {
    for (auto const& source : changed_in_links_) {
        auto const* updated = source.type->find("updatedAt");
        if (!updated || source.has_time || changed_.contains(source)) continue;
        SqlText sql;
        (sql << "UPDATE ").name(source.type->table) << " SET ";
        sql.name(updated->column) << " = " << now_ << " WHERE `id` = ";
        if (auto done = connection_.command(sql.integer(source.id)); !done) return done;
    }
    return {};
}

} // namespace db
