#include "db/import/entries.hpp"

#include <algorithm>

// Changes existing entries to what the folder says.

namespace db {

namespace {

// Stores the values that a line has. Those that it leaves out become NULL, as in a new entry,
// except that createdAt and publishedAt stay if they are set, updatedAt becomes now, and
// credentials stay.
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

// Clears changed unique values first, since they may move from one row to another.
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

// Components are inserted anew, so the credentials that their line leaves out would be lost.
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

// An entry also counts as updated if only its relations have changed.
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
