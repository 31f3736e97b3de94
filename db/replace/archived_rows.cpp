#include "db/replace/archived_rows.hpp"

#include "db/archive/project.hpp"
#include "db/import/cells.hpp"
#include "db/import/record.hpp"
#include "db/import/value.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

namespace db {

namespace {

namespace json = boost::json;

json::value const none;

// Returns the nearest number that the column holds if JavaScript has rounded one beyond it, as in
// an export from SQLite; else null.
json::value nearest(Attribute const& attribute, json::value const& value) {
    auto const* text = value.if_string();
    if (!text || attribute.column_type.kind != ColumnType::Kind::biginteger) return {};
    std::int64_t integer = 0;
    auto const [end, error] = std::from_chars(text->data(), text->data() + text->size(), integer);
    bool const is_number =
        error == std::errc::result_out_of_range && end == text->data() + text->size();
    using Limits = std::numeric_limits<std::int64_t>;
    return is_number ? json::value(text->starts_with('-') ? Limits::min() : Limits::max())
                     : json::value();
}

// Makes `sections.width` from `sections[2].width: expected …`, whatever the entry.
std::string attribute_of(std::string_view problem) {
    std::string attribute;
    bool is_index = false;
    for (char const c : problem.substr(0, problem.find(": "))) {
        is_index |= c == '[';
        if (!is_index) attribute += c;
        is_index &= c != ']';
    }
    return attribute;
}

std::vector<std::string> columns_of(ContentType const& type, KeptColumns const& kept) {
    std::vector<std::string> columns{"id"};
    for (auto const& attribute : type.attributes)
        if (attribute.is_scalar()) columns.push_back(attribute.column);
    columns.insert(columns.end(), kept.names().begin(), kept.names().end());
    return columns;
}

} // namespace

parser::Result<void> KeptColumns::read(Connection& connection, ContentType const& type,
                                       ReplacedTypes const& replaced) {
    for (auto const& attribute : type.attributes) {
        auto const& link = attribute.link;
        if (link.place == Link::Place::parent_column && attribute.owns_link && attribute.target &&
            !replaced.contains(*attribute.target))
            names_.push_back(link.target_column);
    }
    if (names_.empty()) return {};
    SqlText sql(SqlPiece("SELECT `id`"));
    for (auto const& name : names_)
        (sql << ", ").name(name);
    (sql << " FROM ").name(type.table) << " WHERE COALESCE(";
    for (auto const& name : names_)
        (&name == &names_.front() ? sql : sql << ", ").name(name);
    auto rows = connection.query(sql << ") IS NOT NULL");
    if (!rows) return rows.error();
    while (rows->next()) {
        auto& values = values_[static_cast<std::uint32_t>(integer_cell(rows->text(0)))];
        for (unsigned column = 1; column <= names_.size(); ++column)
            values.push_back(static_cast<std::uint32_t>(integer_cell(rows->text(column))));
    }
    return {};
}

void KeptColumns::append(Insertion::Row& row, std::uint32_t id) const {
    auto const found = values_.find(id);
    for (std::size_t i = 0; i < names_.size(); ++i) {
        if (found == values_.end() || found->second[i] == 0)
            row.next() << "NULL";
        else
            row.next().integer(std::uint64_t{found->second[i]});
    }
}

ArchivedRows::ArchivedRows(Connection& connection, Schema const& schema, Mistakes& mistakes,
                           Tally& tally)
    : connection_(connection),
      schema_(schema),
      mistakes_(mistakes),
      tally_(tally),
      constraints_(schema),
      uniqueness_(connection, constraints_, repeated_),
      removal_(connection, schema) {
}

parser::Result<void> ArchivedRows::read_kept_columns(ReplacedTypes const& replaced) {
    for (auto const& [uid, type] : schema_.types)
        if (is_exported(uid))
            if (auto read = kept_[type.get()].read(connection_, *type, replaced); !read)
                return read;
    return {};
}

parser::Result<void> ArchivedRows::add(ArchivedEntry const& entry, Origin const& place) {
    auto const* type = schema_.find(entry.type);
    if (!type || !is_exported(entry.type) || type->kind == ContentType::Kind::component) {
        tally_.add(entry.type + ": the project has no such type, entries left out");
        return {};
    }
    // Strapi reads the rows in no order, a page at a time. If a site is edited meanwhile, a row may
    // come twice; the last one is the latest.
    if (has(*type, entry.id)) {
        tally_.add(entry.type +
                   ": entries that occur twice in the archive, of which the last one is stored");
        if (auto done = take_back(*type, entry.id); !done) return done;
    }
    ++count_;
    check(*type, entry.data);
    return insert(*type, entry.id, entry.data, entry.type + ' ' + std::to_string(entry.id) + ": ",
                  place);
}

parser::Result<void> ArchivedRows::finish() {
    if (auto sent = flush(); !sent) return sent;
    if (auto checked = uniqueness_.check(); !checked) return checked;
    if (repeated_.any())
        tally_.add("values that are not unique, stored nevertheless", repeated_.count());
    return {};
}

bool ArchivedRows::has(ContentType const& type, std::uint32_t id) const {
    auto const found = ids_.find(&type);
    return found != ids_.end() && found->second.contains(id);
}

parser::Result<void> ArchivedRows::take_back(ContentType const& type, std::uint32_t id) {
    if (auto sent = flush(); !sent) return sent;
    --count_;
    return removal_.rows(type, {id});
}

// Counts what the types' files would refuse, since Strapi does not check values that it has stored.
void ArchivedRows::check(ContentType const& type, json::object const& data) {
    std::vector<std::string> problems;
    constraints_.check(type, data, problems);
    for (auto const& problem : problems)
        tally_.add(type.uid + ": " + attribute_of(problem) +
                   ": values that the schema does not allow, which are stored nevertheless");
}

void ArchivedRows::tell_unknown(ContentType const& type, json::object const& data) {
    for (auto const& [name, value] : data)
        if (name != "id" && name != "__component" && !value.is_null() && !type.find(name))
            tally_.add(type.uid + ": " + std::string(name) +
                       ": the project has no such attribute, values left out");
}

parser::Result<void> ArchivedRows::insert(ContentType const& type, std::uint32_t id,
                                          json::object const& data, std::string const& where,
                                          Origin const& place) {
    ids_[&type].insert(id);
    tell_unknown(type, data);
    auto row = rows_of(type).row(place);
    if (!row) return row.error();
    row->next().integer(std::uint64_t{id});
    for (auto const& attribute : type.attributes) {
        if (!attribute.is_scalar()) continue;
        auto const* value = data.if_contains(attribute.name);
        auto const rounded = value ? nearest(attribute, *value) : none;
        if (!rounded.is_null()) {
            tally_.add(type.uid + ": " + attribute.name +
                       ": numbers out of the column's range, in place of which the nearest ones "
                       "are stored");
            value = &rounded;
        }
        auto& sql = row->next();
        auto const wanted = append_value(sql, attribute, value ? *value : none);
        if (!wanted.empty()) {
            mistakes_.add(place, where + attribute.name + ": expected " + wanted);
            sql << "NULL";
        } else if (value && !expected_form(attribute, *value).empty()) {
            tally_.add(type.uid + ": " + attribute.name +
                       ": values that the schema does not allow, which are stored nevertheless");
        }
    }
    kept_[&type].append(*row, id);
    uniqueness_.take(type, id, place);
    for (auto const& attribute : type.attributes) {
        auto const* value = is_part(attribute) ? data.if_contains(attribute.name) : nullptr;
        if (!value || value->is_null()) continue;
        auto const done = insert_parts(type, id, attribute, *value, where + attribute.name, place);
        if (!done) return done;
    }
    return {};
}

parser::Result<void> ArchivedRows::insert_parts(ContentType const& type, std::uint32_t id,
                                                Attribute const& attribute,
                                                json::value const& value, std::string const& where,
                                                Origin const& place) {
    if (!attribute.many) return insert_part(type, id, attribute, value, 0, where + ": ", place);
    if (!value.is_array()) {
        mistakes_.add(place, where + ": expected a list of components");
        return {};
    }
    std::size_t order = 0;
    for (auto const& item : value.get_array()) {
        auto const at = where + '[' + std::to_string(order) + "]: ";
        auto const done = insert_part(type, id, attribute, item, ++order, at, place);
        if (!done) return done;
    }
    return {};
}

parser::Result<void> ArchivedRows::insert_part(ContentType const& type, std::uint32_t id,
                                               Attribute const& attribute, json::value const& value,
                                               std::size_t order, std::string const& where,
                                               Origin const& place) {
    auto const* object = value.if_object();
    auto const* part_id = object ? object->if_contains("id") : nullptr;
    auto const* number = part_id ? part_id->if_int64() : nullptr;
    auto const* part = attribute.target;
    if (object && attribute.type == AttributeType::dynamic_zone) {
        auto const* name = object->if_contains("__component");
        auto const found = std::ranges::find_if(attribute.targets, [&](auto const* target) {
            return name && name->is_string() && name->get_string() == target->uid;
        });
        part = found == attribute.targets.end() ? nullptr : *found;
    }
    if (!part || !number || *number < 1 || *number > 4'294'967'295) {
        mistakes_.add(place,
                      where + "expected a component that this attribute allows, with its id");
        return {};
    }
    auto const component = static_cast<std::uint32_t>(*number);
    if (auto done = insert(*part, component, *object, where, place); !done) return done;
    auto row = parts_of(type, attribute).row(place);
    if (!row) return row.error();
    row->next().integer(std::uint64_t{id});
    row->next().integer(std::uint64_t{component});
    row->next().text(part->uid);
    row->next().text(attribute.name);
    // Strapi numbers the components of a list; a single one has no order.
    if (order > 0)
        row->next().integer(std::uint64_t{order});
    else
        row->next() << "NULL";
    return {};
}

parser::Result<void> ArchivedRows::flush() {
    for (auto& [table, insertion] : insertions_)
        if (auto done = insertion->flush(); !done) return done;
    return {};
}

Insertion& ArchivedRows::rows_of(ContentType const& type) {
    auto& found = insertions_[type.table];
    if (!found)
        found = std::make_unique<Insertion>(connection_, mistakes_, type.table,
                                            columns_of(type, kept_[&type]));
    return *found;
}

Insertion& ArchivedRows::parts_of(ContentType const& type, Attribute const& attribute) {
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
