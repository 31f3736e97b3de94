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
        bool const is_component = type->kind == ContentType::Kind::component;
        SqlText sql = is_component ? SqlPiece("SELECT COALESCE(MAX(`id`), 0) FROM ")
                                   : SqlPiece("SELECT `id` FROM ");
        auto rows = connection.query(sql.name(type->table));
        if (!rows) return rows.error();
        while (rows->next())
            if (is_component)
                ids.last = std::max(ids.last, integer_cell(rows->text(0)));
            else
                ids.existing.insert(integer_cell(rows->text(0)));
    }
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
