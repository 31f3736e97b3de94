#include "db/cms/account_rules.hpp"
#include "db/import/json_line.hpp"
#include "db/import/value.hpp"
#include "db/mysql/connection.hpp"
#include "db/mysql/tables.hpp"
#include "db/schema/schema.hpp"
#include "parser/base/json_string.hpp"

#include <boost/json.hpp>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

// Writes the content of a database as a folder that `populate-fcgi import` takes:
//
//     export SCHEMA DATABASE FOLDER
//
// Says on standard error which values can't be carried over, since an import would refuse them.
// Silently lost are microseconds, the text of JSON columns beside its meaning, orders beside the
// sequence they make, and ids of link rows.

namespace {

using Objects = std::map<std::uint64_t, std::string>; // members without braces, by id

std::uint64_t number(std::string_view text) {
    return text.data() ? std::stoull(std::string(text)) : 0;
}

std::string json_text(std::string_view text) {
    std::string json;
    parser::append_json_string(json, text);
    return json;
}

// 2024-01-15 12:34:56.789123 -> 2024-01-15T12:34:56.789Z
std::string iso(std::string_view time) {
    return std::string(time.substr(0, 10)) + 'T' + std::string(time.substr(11, 12)) + 'Z';
}

std::string json_of(db::Attribute const& attribute, std::string_view cell) {
    switch (attribute.type) {
    case db::AttributeType::integer:
    case db::AttributeType::floating:
    case db::AttributeType::decimal:
    case db::AttributeType::json:
        return std::string(cell);
    case db::AttributeType::boolean:
        return cell == "0" ? "false" : cell == "1" ? "true" : "2";
    case db::AttributeType::datetime:
    case db::AttributeType::timestamp:
        return json_text(iso(cell));
    default:
        return json_text(cell);
    }
}

// Why an import would refuse the value; empty: it would not.
std::string loss(db::Attribute const& attribute, std::string const& text) {
    boost::system::error_code error;
    auto const value = db::parse_line(text, error);
    if (error) return "JSON that the import can't read: " + error.message();
    db::SqlText sql;
    auto const expected = db::append_value(sql, attribute, value);
    if (!expected.empty()) return "expected " + expected;
    return {};
}

class Export {
  public:
    Export(db::Connection& connection, db::Schema const& schema)
        : connection_(connection), schema_(schema) {}

    void write(std::filesystem::path const& folder) {
        for (auto const& [uid, type] : schema_.types) {
            bool const has_file =
                uid == "plugin::i18n.locale" || uid == "plugin::users-permissions.permission";
            if (type->kind == db::ContentType::Kind::component || has_file) continue;
            auto const& objects = objects_of(*type);
            if (objects.empty()) continue;
            std::ofstream file(folder /
                               ((uid == "plugin::upload.file" ? "files" : uid) + ".ndjson"));
            for (auto const& [id, members] : objects)
                file << "{\"id\":" << id << members << "}\n";
        }
        std::ofstream(folder / "locales.json") << locales();
        std::ofstream(folder / "access.json") << access();
    }

  private:
    db::Cursor query(db::SqlText const& sql) { return connection_.query(sql).value(); }

    Objects const& objects_of(db::ContentType const& type) {
        auto const [found, is_new] = objects_.try_emplace(&type);
        if (!is_new) return found->second;
        Objects objects;
        read_values(type, objects);
        for (auto const& attribute : type.attributes)
            if (attribute.type == db::AttributeType::component ||
                attribute.type == db::AttributeType::dynamic_zone)
                read_parts(type, attribute, objects);
            else if (!attribute.is_scalar() && is_carried(type, attribute))
                read_links(attribute, objects);
        return found->second = std::move(objects);
    }

    void read_values(db::ContentType const& type, Objects& objects) {
        db::SqlText sql;
        sql << "SELECT `id`";
        for (auto const& attribute : type.attributes)
            if (attribute.is_scalar()) (sql << ", ").name(attribute.column);
        (sql << " FROM ").name(type.table);
        auto rows = query(sql);
        while (rows.next()) {
            auto const id = number(rows.text(0));
            auto& members = objects[id];
            unsigned column = 1;
            for (auto const& attribute : type.attributes) {
                if (!attribute.is_scalar()) continue;
                auto const cell = rows.text(column++);
                if (!is_kept(type, id, attribute)) continue;
                std::string value = cell.data() ? json_of(attribute, cell) : "null";
                auto const problem = loss(attribute, value);
                if (!problem.empty()) {
                    std::cerr << type.uid << ' ' << id << ": " << attribute.name << ": " << problem
                              << ", has " << value.substr(0, 60) << '\n';
                    continue;
                }
                members += ',' + json_text(attribute.name) + ':' + value;
            }
        }
    }

    // Rows that create-tables makes too, with times and documents of their own.
    static bool is_kept(db::ContentType const& type, std::uint64_t id,
                        db::Attribute const& attribute) {
        bool const is_made = attribute.name == "createdAt" || attribute.name == "updatedAt" ||
                             attribute.name == "publishedAt" || attribute.name == "documentId";
        return !(is_made && id <= 2 && type.uid == "plugin::users-permissions.role");
    }

    // Both sides of a relation, since each has an order.
    static bool is_carried(db::ContentType const& type, db::Attribute const& attribute) {
        if (attribute.type == db::AttributeType::media) return true;
        bool const is_permission =
            attribute.target && attribute.target->uid == "plugin::users-permissions.permission";
        bool const is_related = type.uid == "plugin::upload.file" && attribute.is_polymorphic();
        bool const is_stored_there = attribute.link.place == db::Link::Place::target_column;
        // The documentId says which these are.
        bool const is_document = attribute.link.entry_column != "id";
        return !is_related && !is_permission && !is_stored_there && !is_document;
    }

    void read_links(db::Attribute const& attribute, Objects& objects) {
        auto const& link = attribute.link;
        bool const has_field = attribute.is_polymorphic() && link.place == db::Link::Place::table;
        db::SqlText sql;
        (sql << "SELECT ").name(link.parent_column) << ", ";
        sql.name(link.target_column) << ", ";
        if (link.target_type_column.empty())
            sql << "NULL";
        else
            sql.name(link.target_type_column);
        sql << (has_field ? db::SqlPiece(", `field` FROM ") : db::SqlPiece(", NULL FROM "));
        sql.name(link.table) << " WHERE ";
        (sql.name(link.parent_column) << " IS NOT NULL AND ").name(link.target_column)
            << " IS NOT NULL";
        if (!link.field_column.empty())
            ((sql << " AND ").name(link.field_column) << " = ").text(link.field);
        if (!link.parent_type_column.empty())
            ((sql << " AND ").name(link.parent_type_column) << " = ").text(link.parent_type);
        sql << " ORDER BY ";
        if (!link.order_column.empty()) sql.name(link.order_column) << ", ";
        auto rows = query(sql << "`id`");
        std::map<std::uint64_t, std::vector<std::string>> lists;
        while (rows.next()) {
            auto const parent = number(rows.text(0));
            std::string item(rows.text(1));
            if (auto const type = rows.text(2); type.data()) {
                // No key guards these pairs.
                if (!has(type, item)) {
                    std::cerr << parent << ": " << attribute.name << ": there is no " << type << ' '
                              << item << '\n';
                    continue;
                }
                item = "{\"__type\":" + json_text(type) + ",\"id\":" + item;
                if (auto const field = rows.text(3); field.data())
                    item += ",\"field\":" + json_text(field);
                item += '}';
            }
            lists[parent].push_back(std::move(item));
        }
        add(attribute, objects, lists);
    }

    bool has(std::string_view uid, std::string const& id) {
        auto const* type = schema_.find(uid);
        if (!type) return false;
        auto const [found, is_new] = ids_.try_emplace(type);
        if (is_new) {
            db::SqlText sql = db::SqlPiece("SELECT `id` FROM ");
            auto rows = query(sql.name(type->table));
            while (rows.next())
                found->second.emplace(rows.text(0));
        }
        return found->second.contains(id);
    }

    void read_parts(db::ContentType const& type, db::Attribute const& attribute, Objects& objects) {
        db::SqlText sql;
        (sql << "SELECT `entity_id`, ").name(attribute.link.target_column)
            << ", `component_type` FROM ";
        sql.name(attribute.link.table) << " WHERE `field` = ";
        auto rows = query(sql.text(attribute.name) << " ORDER BY `entity_id`, `order`, `id`");
        std::map<std::uint64_t, std::vector<std::string>> lists;
        while (rows.next()) {
            auto const entry = number(rows.text(0));
            auto const id = number(rows.text(1));
            std::string const uid(rows.text(2));
            auto const* component = schema_.find(uid);
            auto const found = component ? objects_of(*component).find(id) : Objects::iterator();
            if (!component || found == objects_of(*component).end()) {
                std::cerr << type.uid << ' ' << entry << ": " << attribute.name << ": there is no "
                          << uid << ' ' << id << '\n';
                continue;
            }
            lists[entry].push_back("{\"__component\":" + json_text(uid) +
                                   ",\"id\":" + std::to_string(id) + found->second + '}');
        }
        add(attribute, objects, lists);
    }

    // That several rows are of, where one is expected; empty: there is none.
    std::string document_of(db::Attribute const& attribute, std::vector<std::string> const& ids) {
        bool const may_be = !attribute.many && attribute.target && attribute.target->has_documents;
        if (!may_be || ids.size() < 2) return {};
        db::SqlText sql;
        (sql << "SELECT MIN(`document_id`), COUNT(DISTINCT `document_id`) FROM ")
                .name(attribute.target->table)
            << " WHERE `id` IN (";
        for (auto const& id : ids)
            (&id == &ids.front() ? sql : sql << ", ").integer(number(id));
        auto rows = query(sql << ")");
        rows.next();
        std::string document(rows.text(0));
        return rows.text(1) == "1" ? document : std::string();
    }

    void add(db::Attribute const& attribute, Objects& objects,
             std::map<std::uint64_t, std::vector<std::string>> const& lists) {
        for (auto const& [id, items] : lists) {
            auto const object = objects.find(id);
            if (object == objects.end()) continue;
            // Of an entry without a status, the draft and the published row.
            if (auto const document = document_of(attribute, items); !document.empty()) {
                object->second += ',' + json_text(attribute.name) + ':' + json_text(document);
                continue;
            }
            if (!attribute.many && items.size() > 1)
                std::cerr << id << ": " << attribute.name << ": has more than one\n";
            std::string value;
            for (auto const& item : items) {
                if (!attribute.many && !value.empty()) break;
                value += (value.empty() ? "" : ",") + item;
            }
            object->second += ',' + json_text(attribute.name) + ':' +
                              (attribute.many ? '[' + value + ']' : value);
        }
    }

    std::string locales() {
        auto rows = query(db::SqlPiece("SELECT `code`, `name` FROM `i18n_locale` ORDER BY `id`"));
        std::string list;
        while (rows.next()) {
            std::string const code = json_text(rows.text(0));
            list += (list.empty() ? "" : ",") + ("{\"code\":" + code) +
                    ",\"name\":" + json_text(rows.text(1)) + '}';
        }
        auto value = query(db::SqlPiece("SELECT `value` FROM `strapi_core_store_settings`"
                                        " WHERE `key` = 'plugin_i18n_default_locale'"));
        value.next();
        return "{\"default\":" + std::string(value.text(0)) + ",\"list\":[" + list + "]}\n";
    }

    std::string access() {
        db::SqlText sql;
        (sql << "SELECT r.`type`, p.`action` FROM `up_roles` r JOIN ")
                .name(db::account_rules(schema_.version).permission_role)
            << " l ON l.`role_id` = r.`id`"
               " JOIN `up_permissions` p ON p.`id` = l.`permission_id` ORDER BY p.`id`";
        auto rows = query(sql);
        std::map<std::string, std::string> roles;
        while (rows.next()) {
            std::string const role(rows.text(0));
            auto const action = rows.text(1);
            if (!schema_.actions.contains(action)) continue;
            roles[role] += (roles[role].empty() ? "" : ",") + json_text(action);
        }
        std::string json;
        for (auto const& [role, actions] : roles)
            json += (json.empty() ? "{" : ",") + json_text(role) + ":[" + actions + ']';
        return json.empty() ? "{}" : json + "}\n";
    }

    db::Connection& connection_;
    db::Schema const& schema_;
    std::map<db::ContentType const*, Objects> objects_;
    std::map<db::ContentType const*, std::set<std::string>> ids_;
};

} // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::cerr << "usage: export SCHEMA DATABASE FOLDER\n";
        return 64;
    }
    auto const url = db::parse_database_url(argv[2]);
    if (!url) return 78;
    auto const connection = db::Connection::open(*url, {});
    if (!connection) return 69;
    auto const version = db::read_version(**connection);
    if (!version || !*version) return 69;
    auto const schema = db::load_schema(argv[1], {{}, **version});
    if (!schema) return 78;
    Export(**connection, **schema).write(argv[3]);
    return 0;
}
