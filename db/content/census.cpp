#include "db/content/census.hpp"

#include "db/content/cells.hpp"

#include <algorithm>

namespace db {

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
            mistakes_.add(file.place(), problem);
    }
    if (!file.is_cut_off()) return;
    mistakes_.add({file.place().file}, unreadable_file);
    type.has_gaps = true;
}

void Census::count(Record const& record, Origin const& place) {
    auto& type = types_[record.type];
    if (record.id > 0) {
        auto const [found, is_new] = type.lines.emplace(record.id, place.line);
        if (!is_new)
            return mistakes_.add(place, "id: expected an id of its own, but " +
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
        bool const is_component = type->kind == ContentType::Kind::component;
        auto const found =
            is_component ? types_.try_emplace(type.get()).first : types_.find(type.get());
        if (found == types_.end()) continue;
        auto& ids = found->second;
        if (auto read = read_rows(connection, *type, ids); !read) return read;
        if (!is_component && !ids.is_replaced) continue;
        if (auto read = read_parts(connection, *type, ids); !read) return read;
    }
    return {};
}

parser::Result<void> Census::read_rows(Connection& connection, ContentType const& type, Type& ids) {
    SqlText sql =
        type.has_documents
            ? SqlPiece("SELECT `id`, `document_id`, `locale`, `published_at` IS NULL FROM ")
            : SqlPiece("SELECT `id` FROM ");
    auto rows = connection.query(sql.name(type.table));
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const id = integer_cell(rows->text(0));
        ids.existing.insert(id);
        ids.last = std::max(ids.last, id);
        if (!type.has_documents) continue;
        std::string const document(rows->text(1)), locale(rows->text(2));
        ids.documents.found(id, type, document, locale, rows->text(3) == "1", ids.is_replaced);
    }
    return {};
}

parser::Result<void> Census::read_parts(Connection& connection, ContentType const& type,
                                        Type& ids) {
    auto const part = std::ranges::find_if(type.attributes, is_part);
    if (part == type.attributes.end()) return {};
    auto const& link = part->link;
    SqlText sql;
    (sql << "SELECT `entity_id`, `field`, ").name(link.target_column) << ", `component_type` FROM ";
    sql.name(link.table) << " ORDER BY `entity_id`, `field`, `order`, `id`";
    auto rows = connection.query(sql);
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const entity = integer_cell(rows->text(0));
        std::string field(rows->text(1));
        auto const id = integer_cell(rows->text(2));
        ids.parts[{entity, std::move(field)}].push_back({schema_.find(rows->text(3)), id});
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
                                  before->second[i].type == part.type;
            auto const old = is_there ? before->second[i].id : 0;
            // A line has taken it, or two rows have the same component.
            if (part.id == 0 && old > 0 && ids.lines.emplace(old, 0).second) part.id = old;
            if (part.id == 0) part.id = ++ids.last;
            number_parts(part);
        }
    }
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

ReplacedTypes Census::replaced() const {
    std::set<ContentType const*> types;
    for (auto const& [type, ids] : types_)
        if (ids.is_replaced) types.insert(type);
    return ReplacedTypes(std::move(types));
}

std::uint64_t Census::draft_of(ContentType const& type, std::uint64_t id) const {
    auto const* row = type.has_documents ? documents(type).find(id) : nullptr;
    return row ? row->draft : 0;
}

bool Census::existed(ContentType const& type, std::uint64_t id) const {
    auto const found = types_.find(&type);
    return found != types_.end() && found->second.existing.contains(id);
}

bool Census::is_known(ContentType const& type, std::uint64_t id) const {
    auto const found = types_.find(&type);
    if (found == types_.end()) return false;
    auto const& ids = found->second;
    if (type.has_documents) return ids.documents.find(id);
    return ids.is_replaced ? ids.lines.contains(id) : ids.existing.contains(id);
}

} // namespace db
