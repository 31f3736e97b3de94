#include "db/content/rows.hpp"

namespace db {

parser::Result<void> Rows::add(Record const& record, Origin const& place) {
    auto const& type = *record.type;
    auto row = rows_of(type).row(place);
    if (!row) return row.error();
    row->next().integer(record.id);
    for (std::size_t index = 0; index < type.attributes.size(); ++index) {
        if (!type.attributes[index].is_scalar()) continue;
        auto const& value = record.values[index];
        row->next() << (value.empty() ? SqlText(SqlPiece("NULL")) : value);
    }
    kept_.append_links(*row, type, record.id);
    uniqueness_.take(type, record.id, place);
    for (auto const& parts : record.parts)
        if (auto done = add_parts(record, parts, place); !done) return done;
    return {};
}

parser::Result<void> Rows::add_parts(Record const& record, Record::Parts const& parts,
                                     Origin const& place) {
    auto const& attribute = record.attribute(parts.attribute);
    std::uint64_t order = 0;
    for (auto const& part : parts.records) {
        if (auto done = add(part, place); !done) return done;
        auto row = parts_of(*record.type, attribute).row(place);
        if (!row) return row.error();
        row->next().integer(record.id);
        row->next().integer(part.id);
        row->next().text(part.type->uid);
        row->next().text(attribute.name);
        // Strapi numbers the components of a list; a single one has no order.
        if (attribute.many)
            row->next().integer(++order);
        else
            row->next() << "NULL";
    }
    return {};
}

parser::Result<void> Rows::flush() {
    for (auto& [table, insertion] : insertions_)
        if (auto done = insertion->flush(); !done) return done;
    return {};
}

Insertion& Rows::rows_of(ContentType const& type) {
    auto& found = insertions_[type.table];
    if (found) return *found;
    std::vector<std::string> columns{"id"};
    for (auto const& attribute : type.attributes)
        if (attribute.is_scalar()) columns.push_back(attribute.column);
    auto const& links = kept_.links_of(type);
    columns.insert(columns.end(), links.begin(), links.end());
    found = std::make_unique<Insertion>(connection_, mistakes_, type.table, columns);
    return *found;
}

Insertion& Rows::parts_of(ContentType const& type, Attribute const& attribute) {
    auto const& link = attribute.link;
    auto& found = insertions_[link.table];
    if (found) return *found;
    std::vector<std::string> const columns{link.parent_column, link.target_column, "component_type",
                                           link.field_column, link.order_column};
    found =
        std::make_unique<Insertion>(connection_, mistakes_, link.table, columns, &rows_of(type));
    return *found;
}

} // namespace db
