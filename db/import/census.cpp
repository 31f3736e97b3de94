#include "db/import/census.hpp"

#include "db/import/cells.hpp"

#include <algorithm>
#include <set>

namespace db {

void Census::take(ContentFile& file) {
    auto& type = types_[&file.type()]; // also for an empty file
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

void Census::take(Removed const& removed) {
    auto& type = types_[removed.type];
    auto const line = type.lines.find(removed.id);
    if (line != type.lines.end())
        mistakes_.add(removed.place,
                      std::to_string(removed.id) +
                          ": expected an entry that is not in the folder, but it is in line " +
                          std::to_string(line->second));
    if (!type.to_remove.emplace(removed.id, removed.place).second)
        mistakes_.add(removed.place, std::to_string(removed.id) + ": expected each id once");
}

namespace {

struct Row {
    std::uint64_t id;
    std::string document;
    std::string locale;
    bool has_no_time;
};

} // namespace

parser::Result<void> Census::read_entries(Connection& connection, ContentType const& type,
                                          Type& ids) {
    SqlText sql =
        type.has_documents
            ? SqlPiece("SELECT `id`, `document_id`, `locale`, `published_at` IS NULL FROM ")
            : SqlPiece("SELECT `id` FROM ");
    auto rows = connection.query(sql.name(type.table));
    if (!rows) return rows.error();
    auto missing = ids.to_remove;
    std::vector<Row> found;
    std::set<std::pair<std::string, std::string>> gone; // documents in a locale
    while (rows->next()) {
        Row row{integer_cell(rows->text(0)), {}, {}, false};
        if (type.has_documents) {
            row.document = rows->text(1);
            row.locale = rows->text(2);
            row.has_no_time = rows->text(3) == "1";
        }
        bool const is_removed = missing.erase(row.id) > 0;
        if (is_removed) ids.removed.push_back(row.id);
        if (is_removed && !row.document.empty()) gone.emplace(row.document, row.locale);
        if (!is_removed) found.push_back(std::move(row));
    }
    for (auto const& [id, place] : missing)
        mistakes_.add(place, std::to_string(id) + ": there is no such " + type.uid);
    for (auto const& row : found) {
        if (gone.contains({row.document, row.locale})) {
            ids.removed.push_back(row.id);
            continue;
        }
        ids.existing.insert(row.id);
        if (type.has_documents)
            ids.documents.found(row.id, type, row.document, row.locale, row.has_no_time);
    }
    return {};
}

std::map<ContentType const*, std::vector<std::uint64_t>> Census::removed() const {
    std::map<ContentType const*, std::vector<std::uint64_t>> removed;
    for (auto const& [type, ids] : types_)
        if (!ids.removed.empty()) removed[type] = ids.removed;
    return removed;
}

std::size_t Census::removed_entries() const {
    std::size_t count = 0;
    for (auto const& [type, ids] : types_)
        count += ids.to_remove.size();
    return count;
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

bool Census::names_any(ContentType const& type, bool existed) const {
    auto const& ids = types_.at(&type);
    return std::ranges::any_of(
        ids.lines, [&](auto const& line) { return ids.existing.contains(line.first) == existed; });
}

bool Census::is_known(ContentType const& type, std::uint64_t id) const {
    auto const found = types_.find(&type);
    return found != types_.end() &&
           (found->second.lines.contains(id) || found->second.existing.contains(id));
}

} // namespace db
