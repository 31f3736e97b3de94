#include "tests/fuzz/content.hpp"

#include "db/cms/tables.hpp"
#include "tests/fuzz/expect.hpp"

namespace fuzz {

namespace {

db::Cursor ask(db::Connection& connection, db::SqlText const& sql) {
    auto rows = connection.query(sql);
    expect(rows.has_value(), "the database answers", rows ? "" : rows.error().cause);
    return *std::move(rows);
}

bool is_text(db::Attribute const& attribute) {
    return attribute.scalar() == db::ScalarClass::text &&
           attribute.type != db::AttributeType::enumeration;
}

bool is_hidden(db::Attribute const& attribute) {
    return attribute.is_private || attribute.type == db::AttributeType::password;
}

std::string checksums_of(db::Connection& connection) {
    auto const tables = db::read_table_columns(connection);
    expect(tables.has_value(), "the tables are listed");
    db::SqlText sql;
    for (auto const& [table, columns] : *tables) {
        if (sql.empty())
            sql << "CHECKSUM TABLE ";
        else
            sql << ", ";
        sql.name(table);
    }
    auto rows = ask(connection, sql);
    std::string sums;
    while (rows.next())
        sums.append(rows.text(0)).append(" ").append(rows.text(1)).append("\n");
    return sums;
}

} // namespace

void mark_hidden(db::Schema const& schema, db::Permissions const& permissions,
                 db::Connection& connection) {
    for (auto const& [uid, type] : schema.types) {
        bool const readable = !uid.starts_with("api::") || permissions.grants(uid + ".find") ||
                              permissions.grants(uid + ".findOne");
        for (db::Attribute const& attribute : type->attributes) {
            if (!is_text(attribute) || (readable && !is_hidden(attribute))) continue;
            db::SqlText sql;
            sql << "UPDATE ";
            sql.name(type->table) << " SET ";
            sql.name(attribute.column) << " = CONCAT(";
            sql.text(hidden_mark) << ", id)";
            auto const done = connection.command(sql);
            expect(done.has_value(), "this account can write", done ? "" : done.error().cause);
        }
    }
}

Content::Content(db::Connection& connection) {
    auto const tables = db::read_table_columns(connection);
    expect(tables.has_value(), "the tables are listed");
    for (auto const& [table, columns] : *tables) {
        db::SqlText sql;
        sql << "SELECT * FROM ";
        sql.name(table);
        auto rows = ask(connection, sql);
        auto& copies = tables_[table];
        while (rows.next()) {
            auto& copy = copies.emplace_back();
            for (unsigned i = 0; i < columns.size(); ++i) {
                auto const text = rows.text(i);
                copy[columns[i].name] = text.data() ? Cell(text) : Cell();
            }
        }
        for (Cells const& copy : copies)
            if (auto const id = copy.find("id"); id != copy.end())
                by_id_[table][id->second.value_or("")] = &copy;
    }
    checksums_ = checksums_of(connection);
}

void Content::expect_unchanged(db::Connection& connection) const {
    expect(checksums_of(connection) == checksums_, "nothing is changed");
}

void Content::expect_true(db::ReadPlan const& plan, db::ResultTree const& result, bool published) {
    for (std::size_t i = 0; i < plan.nodes.size(); ++i)
        if (!plan.nodes[i].count) expect_true(plan, plan.nodes[i], result.nodes[i], published);
}

void Content::expect_true(db::ReadPlan const& plan, db::Node const& node, db::Rows const& rows,
                          bool published) {
    for (db::Attribute const* column : node.columns)
        expect(!is_hidden(*column), "hidden columns are not read", column->name);
    std::set<std::uint64_t> ids;
    for (db::Row const& row : rows.rows) {
        if (node.source == db::RowSource::root)
            expect(ids.insert(row.id).second, "entries are read once");
        if (node.source == db::RowSource::link || node.source == db::RowSource::pairs)
            expect_linked(plan, node, row);
        if (!node.type) continue;
        auto const& table = by_id_[node.type->table];
        auto const found = table.find(std::to_string(row.id));
        expect(found != table.end(), "rows are of their type's table", node.type->uid);
        Cells const& stored = *found->second;
        auto const* next = rows.cells_of(row);
        auto const expect_cell = [&](std::string const& column) {
            auto const cell = *next++;
            auto const& value = stored.at(column);
            expect(cell.data() ? value == cell : !value, "cells are as stored", column);
        };
        for (db::Attribute const* column : node.columns)
            expect_cell(column->column);
        for (std::string const& key : node.keys)
            expect_cell(key);
        if (published && node.type->draft_and_publish)
            expect(stored.at("published_at").has_value(), "drafts are not read", node.type->uid);
    }
}

void Content::expect_linked(db::ReadPlan const& plan, db::Node const& node, db::Row const& row) {
    auto const& link = node.slots[row.slot]->link;
    auto const* target =
        node.source == db::RowSource::pairs ? plan.nodes[node.targets[row.target]].type : node.type;
    auto const& pairs = pairs_of(link, plan.nodes[node.parent].type, target);
    std::string const type = link.target_type_column.empty() ? std::string() : target->uid;
    expect(pairs.contains({std::to_string(row.parent), std::to_string(row.id), type}),
           "rows are linked to their parents", node.slots[row.slot]->name);
}

std::set<Content::Pair> const& Content::pairs_of(db::Link const& link,
                                                 db::ContentType const* parent,
                                                 db::ContentType const* target) {
    auto& pairs = pairs_[&link];
    if (!pairs.empty()) return pairs;
    using Place = db::Link::Storage;
    std::string const& table = link.storage == Place::table           ? link.table
                               : link.storage == Place::parent_column ? parent->table
                                                                      : target->table;
    std::string const own_id = "id";
    auto const& parent_column = link.storage == Place::parent_column ? own_id : link.parent_column;
    auto const& target_column = link.storage == Place::target_column ? own_id : link.target_column;
    for (Cells const& cells : tables_.at(table)) {
        auto const text = [&](std::string const& column) {
            return column.empty() ? std::string() : cells.at(column).value_or("");
        };
        if (text(link.field_column) != link.field ||
            text(link.parent_type_column) != link.parent_type)
            continue;
        pairs.emplace(text(parent_column), text(target_column), text(link.target_type_column));
    }
    return pairs;
}

} // namespace fuzz
