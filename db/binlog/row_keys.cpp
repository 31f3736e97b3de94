#include "db/binlog/row_keys.hpp"

namespace db {

namespace {

void add_link(Link const& link, ContentType const* target, RowKeys& keys) {
    switch (link.place) {
    case Link::Storage::table:
        keys[table_name(link.table)].insert({"id", link.parent_column});
        break;
    case Link::Storage::target_column:
        if (target) keys[table_name(target->table)].insert(link.parent_column);
        break;
    case Link::Storage::parent_column: // the entry's own row
    case Link::Storage::none:
        break;
    }
}

} // namespace

RowKeys row_keys(Schema const& schema) {
    RowKeys keys;
    for (auto const& [uid, type] : schema.types) {
        auto& columns = keys[table_name(type->table)];
        columns.insert("id");
        for (Attribute const& attribute : type->attributes) {
            add_link(attribute.link, attribute.target, keys);
            if (is_row_key(*type, attribute.column)) columns.insert(attribute.column);
        }
    }
    return keys;
}

bool is_row_key(ContentType const& type, std::string_view column) {
    if (column == document_column) return true;
    auto const* attribute = type.find_by_column(column);
    return attribute && attribute->type == AttributeType::uid;
}

} // namespace db
