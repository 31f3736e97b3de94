#include "db/content/import.hpp"

#include "db/content/json_text.hpp"
#include "db/content/preparation.hpp"
#include "db/content/row_writer.hpp"
#include "db/content/value.hpp"

#include <boost/algorithm/string/join.hpp>
#include <boost/json.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>
#include <map>
#include <set>
#include <system_error>
#include <unordered_map>

namespace db {

namespace {

namespace json = boost::json;

// Removes the value that a refusing server quotes: `Duplicate entry 'a' for key 'b'`.
std::string without_values(std::string message) {
    auto const key = message.rfind("' for ");
    auto const quote = message.find(": ") == message.npos ? message.npos : message.find(" '");
    if (key != message.npos && quote < key) message.erase(quote, key + 1 - quote);
    return message;
}

parser::Result<void> write_settings(Connection& connection, ArchiveContents const& contents) {
    for (auto const& [key, row] : contents.settings) {
        auto const* value = row.if_contains("value");
        auto const* type = row.if_contains("type");
        SqlText gone("DELETE FROM `strapi_core_store_settings` WHERE `key` = ");
        if (auto done = connection.command(gone.text(key)); !done) return done;
        SqlText sql;
        (sql << "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES (")
            .text(key);
        (sql << ", ").text(json::serialize(value ? *value : json::value()));
        (sql << ", ").text(type && type->is_string() ? std::string_view(type->get_string()) : "");
        if (auto done = connection.command(sql << ")"); !done) return done;
    }

    return {};
}

// The number of entries of each content type that is exported, by UID.
using EntryCounts = std::map<std::string, std::uint64_t>;

parser::Result<EntryCounts> count_entries(Connection& connection, Schema const& schema) {
    EntryCounts counts;
    for (auto const& [uid, type] : schema.types) {
        if (!is_exported(uid) || is_component(*type)) continue;
        auto count = connection.query(SqlText("SELECT COUNT(*) FROM ").name(type->table));
        if (!count) return count.error();
        count->next();
        counts[uid] = count->id(0);
    }

    return counts;
}

// Returns the types that have entries but are not in the archive: `api::tag.tag (40)`. Empty if
// there are none. Roles, permissions and locales are not included: create-tables makes some, and if
// the archive's site lacks their plugin they stay.
std::string types_beyond(ArchiveContents const& contents, EntryCounts const& counts) {
    constexpr std::string_view made_with_tables[] = {"plugin::i18n.locale",
                                                     "plugin::users-permissions.permission",
                                                     "plugin::users-permissions.role"};
    std::string text;
    for (auto const& [uid, entries] : counts)
        if (entries > 0 && !contents.schemas.contains(uid) &&
            std::ranges::count(made_with_tables, uid) == 0)
            text.append(text.empty() ? "" : ", ")
                .append(uid + " (" + std::to_string(entries) + ')');
    return text;
}

ReplacedTypes replaced_by(ArchiveContents const& contents, Schema const& schema) {
    ReplacedTypes replaced{.types = {}, .are_all = contents.is_whole_site()};
    for (auto const& [uid, type] : schema.types)
        if (is_exported(uid) && !is_component(*type) &&
            (replaced.are_all ? contents.schemas.contains(uid) : contents.entries.contains(uid)))
            replaced.types.insert(type.get());
    return replaced;
}

std::string uids_of(ReplacedTypes const& replaced) {
    std::set<std::string> uids;
    for (auto const* type : replaced.types)
        uids.insert(type->uid);
    return boost::algorithm::join(uids, ", ");
}

// Reports how many entries go and come: for each type in a trial, else for each type that will have
// none; and in total.
void report_counts(ArchiveContents const& contents, Schema const& schema,
                   ReplacedTypes const& replaced, EntryCounts const& in_tables, bool is_trial,
                   ImportObserver const& observer) {
    if (!replaced.are_all)
        observer.report("the archive is a part of a site, because it has no roles: entries of " +
                        uids_of(replaced) +
                        " are replaced; all other entries and the settings stay");
    std::uint64_t all = 0;
    for (auto const& [uid, entries] : in_tables) {
        if (!replaced.contains(*schema.find(uid))) continue;
        all += entries;
        auto const found = contents.entries.find(uid);
        auto const come = found == contents.entries.end() ? 0 : found->second;
        bool const is_emptied = entries > 0 && come == 0;
        if (is_emptied || (is_trial && entries + come > 0))
            observer.report(uid + ": " + std::to_string(entries) + " entries are removed, " +
                            std::to_string(come) + " are added");
    }

    observer.report(std::to_string(all) + " entries of the tables are removed");
}

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

constexpr char const* not_allowed =
    ": values that the schema does not allow, which are stored nevertheless";

// How often what is no error occurs, by the sentence that reports it.
using Tally = std::map<std::string, std::size_t>;

// Makes records of an archive's rows, and remembers which rows there are.
class ArchivedRecords {
  public:
    ArchivedRecords(ContentErrors& errors, Tally& tally) : errors_(errors), tally_(tally) {}

    // `where` is `api::tag.tag 7: ` or a place in that entry.
    Record read(ContentType const& type, std::uint32_t id, json::object const& data,
                std::string const& where, FilePlace const& place) {
        ids_[&type].insert(id);
        report_unknown(type, data);
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

    // Components count, too.
    bool has(ContentType const& type, std::uint32_t id) const {
        auto const found = ids_.find(&type);
        return found != ids_.end() && found->second.contains(id);
    }

  private:
    void report_unknown(ContentType const& type, json::object const& data) {
        for (auto const& [name, value] : data)
            if (name != "id" && name != "__component" && !value.is_null() && !type.find(name))
                ++tally_[type.uid + ": " + std::string(name) +
                         ": the project has no such attribute, values left out"];
    }

    SqlText value_of(ContentType const& type, Attribute const& attribute, json::value const* value,
                     std::string const& where, FilePlace const& place) {
        if (!value) return SqlPiece("NULL");
        auto const rounded = nearest(attribute, *value);
        if (!rounded.is_null())
            ++tally_[type.uid + ": " + attribute.name +
                     ": numbers out of the column's range, in place of which the nearest ones are "
                     "stored"];
        auto const& stored = rounded.is_null() ? *value : rounded;
        SqlText sql;
        auto const wanted = append_value(sql, attribute, stored);
        if (!wanted.empty()) {
            errors_.add(place, where + attribute.name + ": expected " + wanted);
            return SqlPiece("NULL");
        }
        if (!expected_form(attribute, stored).empty())
            ++tally_[type.uid + ": " + attribute.name + not_allowed];
        return sql;
    }

    Record::Parts parts_of(Attribute const& attribute, json::value const& value,
                           std::string const& where, FilePlace const& place) {
        Record::Parts parts;
        if (!attribute.many)
            add_part(parts, attribute, value, where + ": ", place);
        else if (!value.is_array())
            errors_.add(place, where + ": expected a list of components");
        else
            for (std::size_t i = 0; i < value.get_array().size(); ++i)
                add_part(parts, attribute, value.get_array()[i],
                         where + '[' + std::to_string(i) + "]: ", place);
        return parts;
    }

    void add_part(Record::Parts& parts, Attribute const& attribute, json::value const& value,
                  std::string const& where, FilePlace const& place) {
        auto const* object = value.if_object();
        auto const id = object ? id_of(object->if_contains("id")) : 0;
        auto const* part = object ? component_of(attribute, *object) : nullptr;
        if (part && id > 0)
            parts.records.push_back(read(*part, id, *object, where, place));
        else
            errors_.add(place,
                        where + "expected a component that this attribute allows, with its id");
    }

    ContentErrors& errors_;
    Tally& tally_;
    std::unordered_map<ContentType const*, boost::unordered_flat_set<std::uint32_t>> ids_;
};

// Writes the entries of an archive, then its pairs, in its order and with its positions; Strapi
// orders pairs with equal positions by their rows.
class ArchiveImport {
  public:
    ArchiveImport(Connection& connection, Schema const& schema, ReplacedTypes const& replaced,
                  Archive& archive, ContentErrors& errors, ImportObserver const& observer)
        : connection_(connection),
          schema_(schema),
          replaced_(replaced),
          archive_(archive),
          errors_(errors),
          observer_(observer),
          records_(errors, tally_),
          constraints_(schema),
          uniqueness_(connection, constraints_, repeated_),
          rows_(connection, errors, uniqueness_, retained_) {}

    parser::Result<ImportCount> run(ArchiveContents const& contents) {
        auto done = retained_.read(connection_, schema_, replaced_, false);
        if (done) done = delete_content(connection_, schema_, replaced_);
        if (done) done = delete_pairs(connection_, schema_, replaced_);
        if (done) done = write_all();
        if (done) done = rows_.flush();
        if (done && replaced_.are_all) done = write_settings(connection_, contents);
        if (done) done = delete_lost_pairs(connection_, schema_, replaced_);
        if (!done) return done.error();
        for (auto const& [what, count] : tally_)
            observer_.report(what + ": " + std::to_string(count));
        count_.errors = errors_.count();
        return count_;
    }

  private:
    parser::Result<void> write_all() {
        if (auto begun = archive_.rewind(); !begun) return begun;
        bool has_links = false;
        for (;;) {
            auto const more = archive_.next();
            if (!more) return more.error();
            // Links need their rows, so all rows are written first.
            bool const is_behind = !*more || archive_.section() == Section::links;
            if (is_behind && !has_links)
                if (auto sent = finish_entries(); !sent) return sent;
            has_links |= is_behind;
            // Links of refused rows would be refused without an error of their own.
            if (!*more || (is_behind && errors_.any())) return {};
            if (auto written = write_line(); !written) return written;
        }
    }

    parser::Result<void> write_line() {
        FilePlace const place{archive_.file(), archive_.line()};
        if (archive_.section() == Section::entities) {
            auto const entry = read_entry(archive_);
            if (!entry) return entry.error();
            report_progress();
            return add_entry(*entry, place);
        }
        if (archive_.section() != Section::links) return {};
        auto const link = read_link(archive_);
        if (!link) return link.error();
        report_progress();
        return add_link(*link, place);
    }

    parser::Result<void> add_entry(ArchivedEntry const& entry, FilePlace const& place) {
        auto const* type = schema_.find(entry.type);
        if (!type || !is_exported(entry.type) || is_component(*type)) {
            ++tally_[entry.type + ": the project has no such type, entries left out"];
            return {};
        }
        // Strapi reads the rows in no order, a page at a time. If a site is edited meanwhile, a row
        // may come twice; the last one is the latest.
        if (records_.has(*type, entry.id)) {
            ++tally_[entry.type +
                     ": entries that occur twice in the archive, of which the last one is stored"];
            if (auto done = take_back(*type, entry.id); !done) return done;
        }
        ++count_.added;
        check(*type, entry.data);
        auto const where = entry.type + ' ' + std::to_string(entry.id) + ": ";
        return rows_.add(records_.read(*type, entry.id, entry.data, where, place), place);
    }

    parser::Result<void> finish_entries() {
        if (auto sent = rows_.flush(); !sent) return sent;
        if (auto checked = uniqueness_.check(); !checked) return checked;
        if (repeated_.any())
            tally_["values that are not unique, stored nevertheless"] += repeated_.count();
        return {};
    }

    parser::Result<void> take_back(ContentType const& type, std::uint32_t id) {
        if (auto sent = rows_.flush(); !sent) return sent;
        --count_.added;
        return delete_rows(connection_, schema_, type, {id});
    }

    // Counts what the types' files would refuse, since Strapi does not check values that it has
    // stored.
    void check(ContentType const& type, json::object const& data) {
        std::vector<std::string> problems;
        constraints_.check(type, data, problems);
        for (auto const& problem : problems)
            ++tally_[type.uid + ": " + attribute_of(problem) + not_allowed];
    }

    parser::Result<void> add_link(ArchivedLink const& link, FilePlace const& place) {
        auto const* owner = schema_.find(link.left.type);
        auto const* attribute = owner ? owner->find(link.left.field) : nullptr;
        // In Strapi 5 localizations are the rows of a document, whatever links say.
        if (link.right.id == 0) return {};
        if (!attribute || !attribute->owns_link || attribute->link.storage == Link::Storage::none) {
            ++tally_[link.left.type + ": " + link.left.field +
                     ": the project has no such relation, links left out"];
            return {};
        }
        auto const* target =
            attribute->is_polymorphic() ? schema_.find(link.right.type) : attribute->target;
        bool const is_there = target && target->uid == link.right.type &&
                              records_.has(*owner, link.left.id) &&
                              records_.has(*target, link.right.id);
        if (!is_there) {
            ++tally_["links to or from rows that the archive does not have, left out"];
            return {};
        }
        bool const is_in_table = attribute->link.storage == Link::Storage::table;
        auto const ids = std::uint64_t{link.left.id} << 32 | link.right.id;
        // Pairs must be unique, but a file may be used twice.
        if (is_in_table && !attribute->is_polymorphic() && !pairs_[attribute].insert(ids).second) {
            ++tally_["links that occur twice in the archive, stored once"];
            return {};
        }
        ++count_.links;
        return rows_.add(*attribute,
                         {link.left.id, link.right.id, link.right.type, link.right.field,
                          link.left.position, link.right.position},
                         place);
    }

    void report_progress() {
        if (archive_.size() == 0 || ++lines_ % 256 != 0) return;
        observer_.progress(static_cast<double>(archive_.bytes_read()) /
                               static_cast<double>(archive_.size()),
                           count_.added);
    }

    Connection& connection_;
    Schema const& schema_;
    ReplacedTypes const& replaced_;
    Archive& archive_;
    ContentErrors& errors_;
    ImportObserver const& observer_;
    Tally tally_;
    ArchivedRecords records_;
    RetainedValues retained_;
    Constraints const constraints_;
    ContentErrors repeated_{nullptr}; // repeated values of unique attributes: counted, not reported
    Uniqueness uniqueness_;
    RowWriter rows_;
    std::map<Attribute const*, boost::unordered_flat_set<std::uint64_t>> pairs_; // ids of both ends
    ImportCount count_;
    std::size_t lines_ = 0;
};

} // namespace

parser::Result<ImportCount> import_archive(Connection& connection, Schema& schema, Archive& archive,
                                           ArchiveContents const& contents,
                                           ImportOptions const& options,
                                           ImportObserver const& observer) {
    if (contents.version != schema.cms.version)
        return archive_error("the archive is of Strapi " + contents.release +
                             ", but the tables are of Strapi " +
                             std::to_string(static_cast<int>(schema.cms.version)));
    if (auto const missing = contents.missing(); !missing.empty())
        return archive_error(
            "the archive does not have all content, because it has no " + missing +
            ": it was exported with --only or --exclude, and importing it would leave half a site");
    auto const destination = prepare_import(connection, schema, options.replaced);
    if (!destination) return destination.error();
    if (!destination->refusal.empty())
        return parser::Error{parser::ErrorKind::configuration, destination->refusal};
    auto const replaced = replaced_by(contents, schema);
    auto const in_tables = count_entries(connection, schema);
    if (!in_tables) return in_tables.error();
    if (auto const beyond = types_beyond(contents, *in_tables); !beyond.empty())
        return archive_error(
            "the tables have entries of types that the archive does not contain, " + beyond +
            ": export from a site that has these types, or delete their entries first");
    report_counts(contents, schema, replaced, *in_tables, options.is_trial, observer);

    ContentErrors errors([&](std::string const& error) { observer.error(without_values(error)); });
    return store(connection, destination->tables, options.is_trial, [&] {
        return ArchiveImport(connection, schema, replaced, archive, errors, observer).run(contents);
    });
}

} // namespace db
