#include "db/import/census.hpp"

#include "db/import/cells.hpp"

#include <algorithm>

namespace db {

parser::Result<void> Census::take(ContentFile& file) {
    for (;;) {
        auto const object = file.next();
        if (!object) return object.error();
        if (!*object) return {};
        auto const record = read_record(schema_, file.type(), **object);
        if (!record) return import_error(file.place(), record.error().message);
        if (record->id == 0) return import_error(file.place(), "id: expected the id of the entry");
        if (auto counted = count(*record, file.place()); !counted) return counted;
    }
}

parser::Result<void> Census::count(Record const& record, Origin const& place) {
    auto& type = types_[record.type];
    if (record.id > 0) {
        auto const [found, is_new] = type.lines.emplace(record.id, place.line);
        if (!is_new)
            return import_error(place, "id: expected an id of its own, " +
                                           std::to_string(record.id) + " is that of the " +
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
            if (auto counted = count(part, place); !counted) return counted;
    return {};
}

parser::Result<void> Census::read_existing(Connection& connection) {
    for (auto& [type, ids] : types_) {
        auto const read = type->kind == ContentType::Kind::component
                              ? read_components(connection, *type, ids)
                              : read_entries(connection, *type, ids);
        if (!read) return read;
    }
    return {};
}

parser::Result<void> Census::read_components(Connection& connection, ContentType const& type,
                                             Type& ids) {
    SqlText sql = SqlPiece("SELECT COALESCE(MAX(`id`), 0) FROM ");
    auto rows = connection.query(sql.name(type.table));
    if (!rows) return rows.error();
    while (rows->next())
        ids.last = std::max(ids.last, integer_cell(rows->text(0)));
    return {};
}

parser::Result<void> Census::read_entries(Connection& connection, ContentType const& type,
                                          Type& ids) {
    SqlText sql =
        type.has_documents
            ? SqlPiece("SELECT `id`, `document_id`, `locale`, `published_at` IS NULL FROM ")
            : SqlPiece("SELECT `id` FROM ");
    auto rows = connection.query(sql.name(type.table));
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const id = integer_cell(rows->text(0));
        ids.existing.insert(id);
        if (!type.has_documents) continue;
        std::string const document(rows->text(1));
        std::string const locale(rows->text(2));
        ids.documents.found(id, type, document, locale, rows->text(3) == "1");
    }
    return {};
}

parser::Result<void> Census::settle(std::string const& default_locale) {
    for (auto& [type, ids] : types_)
        if (type->has_documents)
            if (auto settled = ids.documents.settle(*type, default_locale); !settled)
                return settled;
    return {};
}

bool Census::existed(ContentType const& type, std::uint64_t id) const {
    auto const found = types_.find(&type);
    return found != types_.end() && found->second.existing.contains(id);
}

bool Census::is_known(ContentType const& type, std::uint64_t id) const {
    auto const found = types_.find(&type);
    return found != types_.end() &&
           (found->second.lines.contains(id) || found->second.existing.contains(id));
}

} // namespace db
