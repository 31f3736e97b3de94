#include "db/content/stored_entries.hpp"

#include "db/content/json_text.hpp"
#include "db/content/record.hpp"
#include "db/content/value.hpp"
#include "db/mysql/sql_text.hpp"

namespace db {

namespace {

// Turns `2024-01-15 12:34:56.789123` into `2024-01-15T12:34:56.789Z`.
std::string iso(std::string_view time) {
    return std::string(time.substr(0, 10)) + 'T' + std::string(time.substr(11, 12)) + 'Z';
}

std::string json_of(Attribute const& attribute, std::string_view cell) {
    switch (attribute.type) {
    case AttributeType::integer:
    case AttributeType::floating:
    case AttributeType::decimal:
    case AttributeType::json:
        return std::string(cell);
    case AttributeType::boolean:
        return cell == "0" ? "false" : cell == "1" ? "true" : "2";
    case AttributeType::datetime:
    case AttributeType::timestamp:
        return json_text(iso(cell));
    default:
        return json_text(cell);
    }
}

// Reads the value as an import would, which prints JSON in one line and in one form. Returns why an
// import would refuse it; empty if it would not.
std::string refusal_of(Attribute const& attribute, std::string& json) {
    boost::system::error_code error;
    auto const value = parse_line(json, error);
    if (error) return "JSON that an import cannot read: " + error.message();
    SqlText sql;
    auto expected = append_value(sql, attribute, value);
    if (expected.empty()) expected = expected_form(attribute, value);
    if (!expected.empty()) return "expected " + expected;
    if (attribute.type == AttributeType::json) json = *stringify(value);
    return {};
}

// create-tables makes the first two roles too, with times and documents of their own.
bool is_made(ContentType const& type, std::uint64_t id, Attribute const& attribute) {
    bool const is_stamp = attribute.name == "createdAt" || attribute.name == "updatedAt" ||
                          attribute.name == "publishedAt" || attribute.name == "documentId";
    return is_stamp && id <= 2 && type.uid == "plugin::users-permissions.role";
}

// Returns whether the relation is written. Both of its sides are, since each has an order.
bool is_carried(ContentType const& type, Attribute const& attribute) {
    if (attribute.type == AttributeType::media) return true;
    bool const is_to_others = attribute.target && !has_lines(*attribute.target);
    bool const is_related = type.uid == "plugin::upload.file" && attribute.is_polymorphic();
    bool const is_stored_there = attribute.link.storage == Link::Storage::target_column;
    // The documentId says which rows are localizations of each other.
    return !is_related && !is_to_others && !is_stored_there && !attribute.is_of_document();
}

// Selects the pairs of a relation: row, target, and a polymorphic target's type and field.
SqlText pairs_of(Attribute const& attribute) {
    auto const& link = attribute.link;
    bool const has_field = attribute.is_polymorphic() && link.storage == Link::Storage::table;
    SqlText sql;
    (sql << "SELECT ").name(link.parent_column) << ", ";
    sql.name(link.target_column) << ", ";
    if (link.target_type_column.empty())
        sql << "NULL";
    else
        sql.name(link.target_type_column);
    sql << (has_field ? SqlPiece(", `field` FROM ") : SqlPiece(", NULL FROM "));
    sql.name(link.table) << " WHERE ";
    (sql.name(link.parent_column) << " IS NOT NULL AND ").name(link.target_column)
        << " IS NOT NULL";
    if (!link.field_column.empty())
        ((sql << " AND ").name(link.field_column) << " = ").text(link.field);
    if (!link.parent_type_column.empty())
        ((sql << " AND ").name(link.parent_type_column) << " = ").text(link.parent_type);
    sql << " ORDER BY ";
    if (!link.order_column.empty()) sql.name(link.order_column) << ", ";
    sql << "`id`";
    return sql;
}

} // namespace

bool has_lines(ContentType const& type) {
    return !is_component(type) && type.uid != "plugin::i18n.locale" &&
           type.uid != "plugin::users-permissions.permission" && !type.uid.starts_with("admin::");
}

parser::Result<StoredEntries::Objects> StoredEntries::read(ContentType const& type) {
    Objects objects;
    if (auto done = read_values(type, objects); !done) return done.error();
    for (auto const& attribute : type.attributes) {
        parser::Result<void> done;
        if (is_part(attribute))
            done = read_parts(type, attribute, objects);
        else if (!attribute.is_scalar() && is_carried(type, attribute))
            done = read_links(attribute, objects);
        if (!done) return done.error();
    }
    return objects;
}

// Returns whether it is written as a value of the entry's row.
bool StoredEntries::is_value(ContentType const& type, Attribute const& attribute) const {
    return attribute.is_scalar() && (with_secrets_ || !is_credential(type, attribute));
}

parser::Result<void> StoredEntries::read_values(ContentType const& type, Objects& objects) {
    SqlText sql;
    sql << "SELECT `id`";
    for (auto const& attribute : type.attributes)
        if (is_value(type, attribute)) (sql << ", ").name(attribute.column);
    (sql << " FROM ").name(type.table);
    auto rows = connection_.query(sql);
    if (!rows) return rows.error();
    while (rows->next()) {
        auto const id = rows->id(0);
        auto& members = objects[id];
        unsigned column = 1;
        for (auto const& attribute : type.attributes) {
            if (!is_value(type, attribute)) continue;
            auto const cell = rows->text(column++);
            if (is_made(type, id, attribute)) continue;
            std::string value = cell.data() ? json_of(attribute, cell) : "null";
            if (auto const problem = refusal_of(attribute, value); !problem.empty())
                left_behind_(type.uid + ' ' + std::to_string(id) + ": " + attribute.name + ": " +
                             problem + ", has " + value.substr(0, 60));
            else
                members += ',' + json_text(attribute.name) + ':' + value;
        }
    }
    return {};
}

parser::Result<void> StoredEntries::read_links(Attribute const& attribute, Objects& objects) {
    auto rows = connection_.query(pairs_of(attribute));
    if (!rows) return rows.error();
    Lists lists;
    while (rows->next()) {
        auto const id = rows->id(0);
        auto const other = rows->id(1);
        std::string item = std::to_string(other);
        if (attribute.target && !is_linked_(*attribute.target, other)) continue;
        if (auto const type = rows->text(2); type.data()) {
            auto const there = exists(type, item); // no foreign key guards these pairs
            if (!there) return there.error();
            if (!*there) {
                left_behind_(std::to_string(id) + ": " + attribute.name + ": there is no " +
                             std::string(type) + ' ' + item);
                continue;
            }
            if (!is_linked_(*schema_.find(type), other)) continue;
            item = "{\"__type\":" + json_text(type) + ",\"id\":" + item;
            if (auto const field = rows->text(3); field.data())
                item += ",\"field\":" + json_text(field);
            item += '}';
        }
        lists[id].push_back(std::move(item));
    }
    return add(attribute, objects, lists);
}

parser::Result<bool> StoredEntries::exists(std::string_view uid, std::string const& id) {
    auto const* type = schema_.find(uid);
    if (!type) return false;
    auto const [found, is_new] = ids_.try_emplace(type);
    if (is_new) {
        auto rows = connection_.query(SqlText("SELECT `id` FROM ").name(type->table));
        if (!rows) return rows.error();
        while (rows->next())
            found->second.emplace(rows->text(0));
    }
    return found->second.contains(id);
}

// Components may be in other components, so each type of them is read once and stays.
parser::Result<StoredEntries::Objects const*>
StoredEntries::read_components(ContentType const& component) {
    if (auto const found = components_.find(&component); found != components_.end())
        return &found->second;
    auto objects = read(component);
    if (!objects) return objects.error();
    return &(components_[&component] = *std::move(objects));
}

parser::Result<void> StoredEntries::read_parts(ContentType const& type, Attribute const& attribute,
                                               Objects& objects) {
    SqlText sql;
    (sql << "SELECT `entity_id`, ").name(attribute.link.target_column)
        << ", `component_type` FROM ";
    sql.name(attribute.link.table) << " WHERE `field` = ";
    auto rows =
        connection_.query(sql.text(attribute.name) << " ORDER BY `entity_id`, `order`, `id`");
    if (!rows) return rows.error();
    Lists lists;
    while (rows->next()) {
        auto const entry = rows->id(0), id = rows->id(1);
        std::string const uid(rows->text(2));
        std::string const* members = nullptr;
        if (auto const* component = schema_.find(uid)) {
            auto const components = read_components(*component);
            if (!components) return components.error();
            auto const found = (*components)->find(id);
            if (found != (*components)->end()) members = &found->second;
        }
        if (members)
            lists[entry].push_back("{\"__component\":" + json_text(uid) +
                                   ",\"id\":" + std::to_string(id) + *members + '}');
        else
            left_behind_(type.uid + ' ' + std::to_string(entry) + ": " + attribute.name +
                         ": there is no " + uid + ' ' + std::to_string(id));
    }
    return add(attribute, objects, lists);
}

// Returns the document that all rows belong to, if the attribute has room for one; else empty.
parser::Result<std::string> StoredEntries::document_of(Attribute const& attribute,
                                                       std::vector<std::string> const& ids) {
    bool const may_be =
        !attribute.many && attribute.target && attribute.target->has_documents && ids.size() > 1;
    if (!may_be) return std::string();
    SqlText sql;
    (sql << "SELECT MIN(`document_id`), COUNT(DISTINCT `document_id`) FROM ")
            .name(attribute.target->table)
        << " WHERE `id` IN (";
    for (auto const& id : ids)
        (&id == &ids.front() ? sql : sql << ", ").integer(std::uint64_t{std::stoull(id)});
    auto rows = connection_.query(sql << ")");
    if (!rows) return rows.error();
    rows->next();
    return rows->text(1) == "1" ? std::string(rows->text(0)) : std::string();
}

parser::Result<void> StoredEntries::add(Attribute const& attribute, Objects& objects,
                                        Lists const& lists) {
    for (auto& [id, members] : objects) {
        members += ',' + json_text(attribute.name) + ':';
        auto const found = lists.find(id);
        if (found == lists.end()) { // written, so that an import removes what was there
            members += attribute.many ? "[]" : "null";
            continue;
        }
        auto const& items = found->second;
        // An entry without a status may be linked to the draft and the published row of a document.
        auto const document = document_of(attribute, items);
        if (!document) return document.error();
        if (!document->empty()) {
            members += json_text(*document);
            continue;
        }
        if (!attribute.many) {
            if (items.size() > 1)
                left_behind_(std::to_string(id) + ": " + attribute.name + ": has more than one");
            members += items.front();
            continue;
        }
        char before = '[';
        for (auto const& item : items) {
            members += before + item;
            before = ',';
        }
        members += ']';
    }
    return {};
}

} // namespace db
