#include "db/import/census.hpp"

#include "db/import/cells.hpp"

#include <algorithm>

namespace db {

void Census::take(ContentFile& file) {
    std::vector<std::string> problems;
    for (;;) {
        auto const object = file.next();
        if (object && !*object) return;
        problems.clear();
        if (object) {
            auto const record = read_record(schema_, file.type(), **object, problems);
            if (!(*object)->contains("id"))
                problems.emplace_back("id: expected the id of the entry");
            constraints_.check(file.type(), **object, problems);
            count(record, file.place());
        } else {
            problems.push_back(object.error().message);
            types_[&file.type()].has_gaps = true;
        }
        for (auto const& problem : problems)
            mistakes_.add(file.place(), problem);
    }
}

void Census::count(Record const& record, Origin const& place) {
    auto& type = types_[record.type];
    if (record.id > 0) {
        auto const [found, is_new] = type.lines.emplace(record.id, place.line);
        if (!is_new)
            return mistakes_.add(place, "id: expected an id of its own, " +
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
            count(part, place);
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

void Census::settle(std::string const& default_locale) {
    for (auto& [type, ids] : types_)
        if (type->has_documents) ids.documents.settle(*type, default_locale, mistakes_);
}

bool Census::is_at(ContentType const& type, std::uint64_t id, std::size_t line) const {
    auto const& lines = types_.at(&type).lines;
    auto const found = lines.find(id);
    return found != lines.end() && found->second == line;
}

bool Census::has_gaps(ContentType const& type) const {
    auto const found = types_.find(&type);
    return found != types_.end() && found->second.has_gaps;
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
