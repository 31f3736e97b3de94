#include "db/content/import.hpp"

#include "db/content/archived_entries.hpp"
#include "db/content/clearance.hpp"
#include "db/content/preparation.hpp"

#include <boost/json.hpp>

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
        SqlText gone;
        (gone << "DELETE FROM `strapi_core_store_settings` WHERE `key` = ").text(key);
        if (auto done = connection.command(gone); !done) return done;
        SqlText sql;
        (sql << "INSERT INTO `strapi_core_store_settings` (`key`, `value`, `type`) VALUES (")
            .text(key);
        (sql << ", ").text(json::serialize(value ? *value : json::value()));
        (sql << ", ").text(type && type->is_string() ? std::string_view(type->get_string()) : "");
        if (auto done = connection.command(sql << ")"); !done) return done;
    }
    return {};
}

// Reports how many entries go and come: for each type in a trial, else for each type that will have
// none; and in total.
void report_counts(ArchiveContents const& contents, Schema const& schema,
                   ReplacedTypes const& replaced, EntryCounts const& in_tables, bool is_trial,
                   ImportObserver const& observer) {
    if (!observer.tell) return;
    if (!replaced.are_all())
        observer.tell("the archive is a part of a site, because it has no roles: entries of " +
                      replaced.text() + " are replaced; all other entries and the settings stay");
    std::uint64_t all = 0;
    for (auto const& [uid, entries] : in_tables) {
        if (!replaced.contains(*schema.find(uid))) continue;
        all += entries;
        auto const found = contents.entries.find(uid);
        auto const come = found == contents.entries.end() ? 0 : found->second;
        bool const is_emptied = entries > 0 && come == 0;
        if (is_emptied || (is_trial && entries + come > 0))
            observer.tell(uid + ": " + std::to_string(entries) + " entries are removed, " +
                          std::to_string(come) + " are added");
    }
    observer.tell(std::to_string(all) + " entries of the tables are removed");
}

class Replacement {
  public:
    Replacement(Connection& connection, Schema const& schema, ReplacedTypes const& replaced,
                Archive& archive, Mistakes& mistakes, ImportObserver const& observer)
        : connection_(connection),
          schema_(schema),
          replaced_(replaced),
          archive_(archive),
          mistakes_(mistakes),
          observer_(observer),
          entries_(connection, schema, kept_, mistakes, tally_) {}

    parser::Result<ImportCount> run(ArchiveContents const& contents) {
        auto done = kept_.read(connection_, schema_, replaced_, false);
        if (done) done = delete_content(connection_, schema_, replaced_);
        if (done) done = delete_pairs(connection_, schema_, replaced_);
        if (done) done = write_all();
        if (done) done = entries_.finish_pairs();
        if (done && replaced_.are_all()) done = write_settings(connection_, contents);
        if (done) done = delete_lost_pairs(connection_, schema_, replaced_);
        if (!done) return done.error();
        tally_.tell(observer_.tell);
        ImportCount count;
        count.added = entries_.entries();
        count.links = entries_.links();
        count.mistakes = mistakes_.count();
        return count;
    }

  private:
    parser::Result<void> write_all() {
        if (auto begun = archive_.rewind(); !begun) return begun;
        bool has_links = false;
        for (;;) {
            auto const more = archive_.next();
            if (!more) return more.error();
            // Links need their rows, so all rows are written first.
            bool const is_behind = !*more || archive_.part() == Part::links;
            if (is_behind && !has_links)
                if (auto sent = entries_.finish(); !sent) return sent;
            has_links |= is_behind;
            // Links of refused rows would be refused without an error of their own.
            if (!*more || (is_behind && mistakes_.any())) return {};
            if (auto written = write_line(); !written) return written;
        }
    }

    parser::Result<void> write_line() {
        Origin const place{archive_.file(), archive_.line()};
        if (archive_.part() == Part::entities) {
            auto const entry = read_entry(archive_);
            if (!entry) return entry.error();
            tell_progress();
            return entries_.add(*entry, place);
        }
        if (archive_.part() != Part::links) return {};
        auto const link = read_link(archive_);
        if (!link) return link.error();
        tell_progress();
        return entries_.add(*link, place);
    }

    void tell_progress() {
        if (!observer_.progress || archive_.size() == 0 || ++lines_ % 256 != 0) return;
        observer_.progress(static_cast<double>(archive_.bytes_read()) /
                               static_cast<double>(archive_.size()),
                           entries_.entries());
    }

    Connection& connection_;
    Schema const& schema_;
    ReplacedTypes const& replaced_;
    Archive& archive_;
    Mistakes& mistakes_;
    ImportObserver const& observer_;
    Tally tally_;
    Kept kept_;
    ArchivedEntries entries_;
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
    if (auto locked = lock_for_import(connection); !locked) return locked.error();
    auto const tables = find_tables(connection, schema);
    if (!tables) return tables.error();
    auto const owner = owner_of(connection, *tables, options.replaced);
    if (!owner) return owner.error();
    if (!owner->empty()) return parser::Error{parser::ErrorKind::configuration, *owner};
    ReplacedTypes const replaced(contents, schema);
    auto const in_tables = count_entries(connection, schema);
    if (!in_tables) return in_tables.error();
    if (auto const beyond = types_beyond(contents, *in_tables); !beyond.empty())
        return archive_error(
            "the tables have entries of types that the archive does not contain, " + beyond +
            ": export from a site that has these types, or delete their entries first");
    report_counts(contents, schema, replaced, *in_tables, options.is_trial, observer);

    Mistakes mistakes([&](std::string const& mistake) {
        if (observer.mistake) observer.mistake(without_values(mistake));
    });
    return store(connection, *tables, options.is_trial, [&] {
        return Replacement(connection, schema, replaced, archive, mistakes, observer).run(contents);
    });
}

} // namespace db
