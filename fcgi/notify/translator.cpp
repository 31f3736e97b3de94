#include "fcgi/notify/translator.hpp"

#include "db/binlog/row_uses.hpp"
#include "db/cms/accounts.hpp"
#include "db/cms/tables.hpp"
#include "db/mysql/watchdog.hpp"
#include "db/schema/project_folder.hpp"
#include "fcgi/handler/read_schema.hpp"

#include <algorithm>
#include <utility>

namespace fcgi::notify {

namespace {

using Relations = db::TableRelations::TableFacts;

std::optional<std::uint16_t> place_of(Relations const& table, std::string_view column) {
    auto const found = table.columns.find(column);
    return found == table.columns.end() ? std::nullopt : std::optional(found->second);
}

// Returns the tables that any response depends on, whatever it is made of. A foreign key may delete
// rows of theirs along with those of others.
std::set<db::TableName> state_tables(db::Schema const& schema,
                                     db::TableRelations const& relations) {
    std::set<db::TableName> tables;
    for (auto const name : db::cms_tables())
        tables.insert(db::table_name(name));
    auto const found = relations.dependencies(db::site_tables(schema)).tables;
    tables.insert(found.begin(), found.end());
    return tables;
}

// Makes a text that is the same as long as the same columns have the same places and meanings.
std::string digest_of_columns(db::RowKeys const& keys, db::TableRelations const& relations) {
    std::string text;
    auto const add = [&](std::string_view part) { text.append(part).append(1, '\0'); };
    for (auto const& [name, table] : relations.tables()) {
        add(name.database);
        add(name.name);
        for (auto const& [column, place] : table.columns) {
            add(column);
            add(std::to_string(place));
        }
        add({});
    }
    for (auto const& [table, columns] : keys) {
        add(table.name);
        std::ranges::for_each(columns, add);
        add({});
    }
    return db::sha256_of(text);
}

} // namespace

parser::Result<void> Translator::read() {
    auto const& limits = options_.limits;
    db::Watchdog watchdog;
    auto const connection = db::Connection::open(options_.database_hosts,
                                                 {.statement_timeout = limits.statement,
                                                  .connect_timeout = limits.acquire,
                                                  .watchdog = &watchdog},
                                                 parser::Deadline::Clock::now() + limits.acquire);
    if (!connection) return connection.error();
    auto const relations = db::TableRelations::read(**connection);
    if (!relations) return relations.error();
    auto const schema = read_schema(options_, **connection);
    if (!schema) return schema.error();
    tell_apart(**schema, *relations);
    find_state(**schema, *relations);
    list_documents(**schema, *relations);
    columns_ = digest_of_columns(db::row_keys(**schema), *relations);
    return {};
}

// The server tells rows of any table apart by their ids, since foreign keys may lead there.
void Translator::tell_apart(db::Schema const& schema, db::TableRelations const& relations) {
    auto const keys = db::row_keys(schema);
    for (auto const& [name, table] : relations.tables()) {
        auto const* const known = reader_.table(name.name, name.database);
        auto const distinguish = [&, &columns = table.columns](std::string_view column) {
            auto const found = columns.find(column);
            if (found != columns.end()) reader_.tell_apart(known, found->second, columns.size());
        };
        distinguish("id");
        if (auto const found = keys.find(name); found != keys.end())
            std::ranges::for_each(found->second, distinguish);
    }
}

void Translator::find_state(db::Schema const& schema, db::TableRelations const& relations) {
    state_.clear();
    for (auto const& [database, name] : state_tables(schema, relations))
        state_.insert(reader_.table(name, database));
}

void Translator::list_documents(db::Schema const& schema, db::TableRelations const& relations) {
    listed_.clear();
    reader_.list_none();
    for (auto const& [uid, type] : schema.types) {
        auto const* const table = relations.find(db::table_name(type->table));
        if (!uid.starts_with("api::") || !table) continue;
        db::ListedColumns columns{.id = place_of(*table, "id")};
        if (type->has_documents) columns.document = place_of(*table, db::document_column);
        if (type->draft_and_publish) columns.published = place_of(*table, "published_at");
        auto const* const known = reader_.table(type->table);
        reader_.list(known, columns);
        listed_[known] = {uid, type->has_documents};
    }
}

ChangeBatch Translator::batch_of(db::Transaction const& transaction) const {
    ChangeBatch batch;
    batch.site = transaction.rows_of_all ||
                 std::ranges::any_of(transaction.tables,
                                     [&](auto* table) { return state_.contains(table); });
    for (auto const& row : transaction.rows) {
        auto const listed = listed_.find(row.table);
        if (listed == listed_.end()) continue;
        auto const& [type, has_documents] = listed->second;
        auto document = row.document;
        if (!has_documents && row.id) document = std::to_string(*row.id);
        if (!document.empty())
            batch.documents.push_back({type, document, row.was_published.value_or(false)});
    }
    auto const sort = [](auto& list) {
        std::ranges::sort(list);
        list.erase(std::ranges::unique(list).begin(), list.end());
    };
    sort(batch.documents);
    if (batch.site) return batch;
    for (auto const* const table : transaction.tables)
        batch.names.push_back(names_.of(*table));
    for (auto const& tag : transaction.tags)
        batch.names.push_back(names_.of(tag));
    sort(batch.names);
    return batch;
}

} // namespace fcgi::notify
