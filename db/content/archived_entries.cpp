#include "db/content/archived_entries.hpp"

#include "db/content/clearance.hpp"
#include "db/content/json_line.hpp"
#include "db/content/project.hpp"
#include "db/content/value.hpp"

#include <boost/json.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <system_error>

namespace db {

namespace {

namespace json = boost::json;

// Returns the nearest number that the column holds if JavaScript has rounded one beyond it, as in
// an export from SQLite; else null.
json::value nearest(Attribute const& attribute, json::value const& value) {
    auto const* text = value.if_string();
    if (!text || attribute.column_type.kind != ColumnType::SqlType::biginteger) return {};
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

std::optional<double> position_of(ArchivedLink::End const& end) {
    return end.has_position ? std::optional(end.position) : std::nullopt;
}

constexpr char const* not_allowed =
    ": values that the schema does not allow, which are stored nevertheless";

} // namespace

ArchivedEntries::ArchivedEntries(Connection& connection, Schema const& schema, Kept const& kept,
                                 Mistakes& mistakes, Tally& tally)
    : connection_(connection),
      schema_(schema),
      mistakes_(mistakes),
      tally_(tally),
      constraints_(schema),
      uniqueness_(connection, constraints_, repeated_),
      rows_(connection, mistakes, uniqueness_, kept) {
}

parser::Result<void> ArchivedEntries::add(ArchivedEntry const& entry, Origin const& place) {
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
    ++entries_;
    check(*type, entry.data);
    auto const where = entry.type + ' ' + std::to_string(entry.id) + ": ";
    return rows_.add(record_of(*type, entry.id, entry.data, where, place), place);
}

parser::Result<void> ArchivedEntries::finish() {
    if (auto sent = rows_.flush(); !sent) return sent;
    if (auto checked = uniqueness_.check(); !checked) return checked;
    if (repeated_.any())
        tally_.add("values that are not unique, stored nevertheless", repeated_.count());
    return {};
}

bool ArchivedEntries::has(ContentType const& type, std::uint32_t id) const {
    auto const found = ids_.find(&type);
    return found != ids_.end() && found->second.contains(id);
}

parser::Result<void> ArchivedEntries::take_back(ContentType const& type, std::uint32_t id) {
    if (auto sent = rows_.flush(); !sent) return sent;
    --entries_;
    return delete_rows(connection_, schema_, type, {id});
}

// Counts what the types' files would refuse, since Strapi does not check values that it has stored.
void ArchivedEntries::check(ContentType const& type, json::object const& data) {
    std::vector<std::string> problems;
    constraints_.check(type, data, problems);
    for (auto const& problem : problems)
        tally_.add(type.uid + ": " + attribute_of(problem) + not_allowed);
}

void ArchivedEntries::tell_unknown(ContentType const& type, json::object const& data) {
    for (auto const& [name, value] : data)
        if (name != "id" && name != "__component" && !value.is_null() && !type.find(name))
            tally_.add(type.uid + ": " + std::string(name) +
                       ": the project has no such attribute, values left out");
}

Record ArchivedEntries::record_of(ContentType const& type, std::uint32_t id,
                                  json::object const& data, std::string const& where,
                                  Origin const& place) {
    ids_[&type].insert(id);
    tell_unknown(type, data);
    Record record;
    record.type = &type;
    record.id = id;
    record.values.resize(type.attributes.size());
    for (std::size_t index = 0; index < type.attributes.size(); ++index) {
        auto const& attribute = type.attributes[index];
        auto const* value = data.if_contains(attribute.name);
        if (attribute.is_scalar())
            record.values[index] = value_of(type, attribute, value, where, place);
        if (!is_part(attribute) || !value || value->is_null()) continue;
        record.parts.push_back(parts_of(attribute, *value, where + attribute.name, place));
        record.parts.back().attribute = index;
    }
    return record;
}

SqlText ArchivedEntries::value_of(ContentType const& type, Attribute const& attribute,
                                  json::value const* value, std::string const& where,
                                  Origin const& place) {
    if (!value) return SqlPiece("NULL");
    auto const rounded = nearest(attribute, *value);
    if (!rounded.is_null())
        tally_.add(type.uid + ": " + attribute.name +
                   ": numbers out of the column's range, in place of which the nearest ones are "
                   "stored");
    auto const& stored = rounded.is_null() ? *value : rounded;
    SqlText sql;
    auto const wanted = append_value(sql, attribute, stored);
    if (!wanted.empty()) {
        mistakes_.add(place, where + attribute.name + ": expected " + wanted);
        return SqlPiece("NULL");
    }
    if (!expected_form(attribute, stored).empty())
        tally_.add(type.uid + ": " + attribute.name + not_allowed);
    return sql;
}

Record::Parts ArchivedEntries::parts_of(Attribute const& attribute, json::value const& value,
                                        std::string const& where, Origin const& place) {
    Record::Parts parts;
    if (!attribute.many)
        add_part(parts, attribute, value, where + ": ", place);
    else if (!value.is_array())
        mistakes_.add(place, where + ": expected a list of components");
    else
        for (std::size_t i = 0; i < value.get_array().size(); ++i)
            add_part(parts, attribute, value.get_array()[i],
                     where + '[' + std::to_string(i) + "]: ", place);
    return parts;
}

void ArchivedEntries::add_part(Record::Parts& parts, Attribute const& attribute,
                               json::value const& value, std::string const& where,
                               Origin const& place) {
    auto const* object = value.if_object();
    auto const id = object ? id_of(object->if_contains("id")) : 0;
    auto const* part = object ? component_of(attribute, *object) : nullptr;
    if (part && id > 0)
        parts.records.push_back(record_of(*part, id, *object, where, place));
    else
        mistakes_.add(place,
                      where + "expected a component that this attribute allows, with its id");
}

parser::Result<void> ArchivedEntries::add(ArchivedLink const& link, Origin const& place) {
    auto const* owner = schema_.find(link.left.type);
    auto const* attribute = owner ? owner->find(link.left.field) : nullptr;
    // In Strapi 5 localizations are the rows of a document, whatever links say.
    if (link.right.id == 0) return {};
    if (!attribute || !attribute->owns_link || attribute->link.place == Link::Storage::none) {
        tally_.add(link.left.type + ": " + link.left.field +
                   ": the project has no such relation, links left out");
        return {};
    }
    auto const* target =
        attribute->is_polymorphic() ? schema_.find(link.right.type) : attribute->target;
    bool const is_there = target && target->uid == link.right.type && has(*owner, link.left.id) &&
                          has(*target, link.right.id);
    if (!is_there) {
        tally_.add("links to or from rows that the archive does not have, left out");
        return {};
    }
    auto& pairs = pairs_[attribute];
    if (!pairs) pairs.reset(new Pairs{PairTable(connection_, mistakes_, *attribute), {}});
    bool const is_in_table = attribute->link.place == Link::Storage::table;
    auto const ids = std::uint64_t{link.left.id} << 32 | link.right.id;
    // Pairs must be unique, but a file may be used twice.
    if (is_in_table && !attribute->is_polymorphic() && !pairs->ids.insert(ids).second) {
        tally_.add("links that occur twice in the archive, stored once");
        return {};
    }
    ++links_;
    return pairs->table.add({link.left.id, link.right.id, link.right.type, link.right.field,
                             position_of(link.left), position_of(link.right)},
                            place);
}

parser::Result<void> ArchivedEntries::finish_pairs() {
    for (auto& [attribute, pairs] : pairs_)
        if (auto done = pairs->table.flush(); !done) return done;
    return {};
}

} // namespace db
