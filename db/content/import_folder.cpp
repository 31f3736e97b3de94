#include "db/content/import.hpp"

#include "db/cms/accounts.hpp"
#include "db/content/census.hpp"
#include "db/content/cms_rows.hpp"
#include "db/content/folder.hpp"
#include "db/content/link_table.hpp"
#include "db/content/preparation.hpp"
#include "db/content/row_writer.hpp"
#include "db/content/stored_entries.hpp"
#include "db/plan/cast.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <unordered_map>

namespace db {

namespace {

// Reports how much of all files has been read. Each is read twice: for the census, and to be
// written.
class Meter {
  public:
    Meter(Folder const& folder, ImportObserver const& observer) : observer_(observer) {
        for (auto const& file : folder.contents)
            total_ += 2 * file->size();
    }
    void file_done(ContentFile const& file) {
        done_ += file.size();
        report(0);
    }
    // `read` is the number of bytes read of the current file.
    void entry_done(std::uintmax_t read) {
        if (++entries_ % 256 == 0) report(read);
    }

  private:
    void report(std::uintmax_t more) const {
        if (total_ > 0)
            observer_.progress(static_cast<double>(done_ + more) / static_cast<double>(total_),
                               entries_);
    }

    ImportObserver const& observer_;
    std::uintmax_t total_ = 0;
    std::uintmax_t done_ = 0;
    std::size_t entries_ = 0;
};

// Sets what the relations of an entry and of its components depend on.
void stand(Record& record, Record::Standing const& standing) {
    record.standing = standing;
    for (auto& parts : record.parts)
        for (auto& part : parts.records)
            stand(part, standing);
}

// Clears the ids of components, each of which belongs to one row.
void drop_part_ids(Record& record) {
    for (auto& parts : record.parts)
        for (auto& part : parts.records) {
            part.id = 0;
            drop_part_ids(part);
        }
}

SqlText& value_of(Record& record, std::string_view attribute) {
    auto const* found = record.type->find(attribute);
    return record.values[static_cast<std::size_t>(found - record.type->attributes.data())];
}

SqlText time_now() {
    using namespace std::chrono;
    auto const now = duration_cast<milliseconds>(system_clock::now().time_since_epoch());
    return SqlText().text(*cast_datetime(std::to_string(now.count())));
}

// Writes the entries of a folder, each with what its line leaves out, then the pairs of their
// relations. The rows of their types are deleted before.
class FolderEntries {
  public:
    // The census must be settled. `default_locale` is for entries that name none.
    FolderEntries(Connection& connection, Census& census, ReplacedTypes const& replaced,
                  RetainedValues const& retained, Uniqueness& uniqueness, ContentErrors& errors,
                  std::string const& default_locale)
        : connection_(connection),
          census_(census),
          replaced_(replaced),
          retained_(retained),
          errors_(errors),
          rows_(connection, errors, uniqueness, retained),
          now_(time_now()),
          default_locale_(default_locale) {}

    parser::Result<void> add(Record record, FilePlace const& place) {
        auto const draft_id = census_.draft_of(*record.type, record.id);
        if (draft_id == 0) return add_row(std::move(record), place);
        Record draft = record;
        draft.id = draft_id;
        value_of(draft, "publishedAt") = SqlPiece("NULL");
        drop_part_ids(draft);
        if (auto added = add_row(std::move(record), place); !added) return added;
        return add_row(std::move(draft), place);
    }

    // Sends the rows that are left.
    parser::Result<void> flush() { return rows_.flush(); }

    parser::Result<void> write_pairs() {
        for (auto& [attribute, table] : links_)
            if (auto done = table.write(connection_, rows_, errors_); !done) return done;
        return {};
    }

  private:
    parser::Result<void> add_row(Record record, FilePlace const& place) {
        census_.number_parts(record);
        complete(record);
        if (auto done = rows_.add(record, place); !done) return done;
        add_links(record, end_of(*record.type, record.id), place);
        return {};
    }

    // Fills in what the document of the entry determines: documentId, publishedAt and standing.
    void complete_document(Record& record) const {
        auto const& type = *record.type;
        auto const& row = *census_.documents(type).find(record.id);
        auto& document = value_of(record, document_attribute);
        if (document.empty() && !row.document.empty()) document.text(row.document);
        auto& published = value_of(record, "publishedAt");
        if (published.empty() && row.is_draft) published = SqlPiece("NULL");
        stand(record, {.has_status = type.draft_and_publish,
                       .is_draft = row.is_draft,
                       .is_whole = row.draft > 0,
                       .is_localized = type.localized,
                       .locale = row.locale});
    }

    // Fills in what a line leaves out and the row has, and the values that Strapi gives to a new
    // entry.
    void complete(Record& record) const {
        auto const& type = *record.type;
        if (type.has_documents) complete_document(record);
        bool const existed = census_.existed(type, record.id);
        bool const has_time = type.draft_and_publish || type.has_documents;
        for (std::size_t index = 0; index < type.attributes.size(); ++index) {
            auto const& attribute = type.attributes[index];
            auto const& name = attribute.name;
            auto& value = record.values[index];
            if (!value.empty() || !attribute.is_scalar()) continue;
            bool const is_time = RetainedValues::is_time(type, attribute);
            if (existed && (is_time || is_credential(type, attribute)))
                value = retained_.value(type, record.id, attribute);
            else if (is_time && (name != "publishedAt" || has_time))
                value = now_;
            else if (name == "locale" && type.localized)
                value.text(default_locale_);
        }
        for (auto& parts : record.parts)
            for (auto& part : parts.records)
                complete(part);
    }

    void add_links(Record const& record, LinkEnd entry, FilePlace const& place) {
        if (census_.existed(*record.type, record.id)) clear_links(record);
        for (auto const& links : record.links) {
            auto const& attribute = record.attribute(links.attribute);
            if (!are_known(links, attribute, place)) continue;
            std::vector<LinkTable::Linked> targets;
            for (auto const& target : links.targets) {
                auto rows = rows_of(target, record.standing);
                // A polymorphic relation links the row that is named alone, and a column one.
                bool const is_one = attribute.is_polymorphic() ||
                                    attribute.link.storage == Link::Storage::parent_column;
                if (is_one && rows.size() > 1) rows.resize(1);
                targets.insert(targets.end(), rows.begin(), rows.end());
            }
            if (auto* const table = link_table(*record.type, attribute))
                table->add(attribute, entry, targets);
        }
        for (auto const& parts : record.parts)
            for (auto const& part : parts.records)
                add_links(part, {part.id, part.id, entry.is_copy}, place);
    }

    // A relation that the line leaves out stays with types that the folder does not have.
    void clear_links(Record const& record) {
        for (std::size_t index = 0; index < record.type->attributes.size(); ++index) {
            auto const& attribute = record.attribute(index);
            bool const is_stored = attribute.link.storage != Link::Storage::none &&
                                   !is_part(attribute) && !attribute.is_of_document();
            auto* const table = is_stored ? link_table(*record.type, attribute) : nullptr;
            if (!table) continue;
            bool const is_named =
                std::ranges::count(record.links, index, &Record::Links::attribute) > 0;
            if (is_named || (attribute.target && replaced_.contains(*attribute.target)))
                table->clear(attribute, record.id, nullptr);
            else if (attribute.is_polymorphic())
                table->clear(attribute, record.id, &replaced_);
        }
    }

    bool are_known(Record::Links const& links, Attribute const& attribute, FilePlace const& place) {
        bool are_known = true;
        for (auto const& target : links.targets) {
            if (is_known(target)) continue;
            are_known = false;
            if (census_.has_gaps(*target.type)) continue;
            auto const* where = replaced_.contains(*target.type)
                                    ? " in the folder"
                                    : ", neither in the folder nor in the database";
            errors_.add(place, attribute.name + ": there is no " + target.type->uid + ' ' +
                                   target.name() + where);
        }
        return are_known;
    }

    LinkEnd end_of(ContentType const& type, std::uint64_t id) const {
        auto const* row = type.has_documents ? census_.documents(type).find(id) : nullptr;
        bool const is_others = !replaced_.contains(type);
        bool const is_copy = row && row->place.file.empty() && !is_others;
        return {id, row ? row->entry : id, is_copy, is_others};
    }

    bool is_known(Record::EntryReference const& target) const {
        if (target.document.empty()) return census_.is_known(*target.type, target.id);
        return !census_.documents(*target.type).rows_of(target.document).empty();
    }

    std::vector<LinkTable::Linked> rows_of(Record::EntryReference const& target,
                                           Record::Standing const& from) const {
        std::vector<std::uint64_t> ids{target.id};
        if (target.type->has_documents)
            ids = census_.documents(*target.type).rows_for(target, from, default_locale_);
        std::vector<LinkTable::Linked> rows;
        for (auto const id : ids)
            rows.push_back({end_of(*target.type, id), target.type, target.field});
        return rows;
    }

    // Returns null if the relation has no owner that is known.
    LinkTable* link_table(ContentType const& type, Attribute const& attribute) {
        auto const* owning = attribute.owns_link ? &attribute : attribute.other_side();
        if (!owning) return nullptr;
        auto const& owner = attribute.owns_link ? type : *attribute.target;
        return &links_.try_emplace(owning, owner, *owning).first->second;
    }

    Connection& connection_;
    Census& census_;
    ReplacedTypes const& replaced_;
    RetainedValues const& retained_;
    ContentErrors& errors_;
    RowWriter rows_;
    SqlText const now_; // in the time zone of the CMS
    std::string const& default_locale_;
    std::map<Attribute const*, LinkTable> links_; // by the owning attribute
};

// Hashes of all entries that are replaced, by id: their values, components and relations with
// entries that neither come nor go.
using Fingerprints = std::map<ContentType const*, std::unordered_map<std::uint64_t, std::size_t>>;

parser::Result<Fingerprints> read_fingerprints(Connection& connection, Schema const& schema,
                                               Census const& census) {
    LeftBehind const ignored = [](std::string const&) {};
    auto const replaced = census.replaced();
    StoredEntries stored(connection, schema, true, ignored,
                         [&](ContentType const& type, std::uint64_t id) {
                             return !replaced.contains(type) ||
                                    (census.existed(type, id) && census.is_known(type, id));
                         });
    Fingerprints fingerprints;
    for (auto const* type : replaced.types) {
        auto const objects = stored.read(*type);
        if (!objects) return objects.error();
        auto& hashes = fingerprints[type];
        for (auto const& [id, members] : *objects)
            hashes.emplace(id, std::hash<std::string>()(members));
    }
    return fingerprints;
}

// By UID. A line counts once, also if it stands for a draft as well.
using CountsByType = std::map<std::string, ImportCount>;

CountsByType changes_of(Fingerprints const& before, Fingerprints const& after,
                        Census const& census) {
    CountsByType counts;
    for (auto const& [type, old] : before) {
        auto const& now = after.at(type);
        auto& count = counts[type->uid];
        auto const is_other = [&](std::uint64_t id) {
            return old.contains(id) && old.at(id) != now.at(id);
        };
        for (auto const& [id, line] : census.lines(*type)) {
            auto const draft = census.draft_of(*type, id);
            ++(!old.contains(id)                 ? count.added
               : is_other(id) || is_other(draft) ? count.changed
                                                 : count.unchanged);
        }
        count.removed = static_cast<std::size_t>(std::ranges::count_if(
            old, [&](auto const& entry) { return !now.contains(entry.first); }));
    }
    return counts;
}

ImportCount total_of(CountsByType const& counts) {
    ImportCount total;
    for (auto const& [uid, count] : counts) {
        total.added += count.added;
        total.changed += count.changed;
        total.removed += count.removed;
        total.unchanged += count.unchanged;
    }
    return total;
}

class FolderImport {
  public:
    FolderImport(Connection& connection, Schema const& schema, Folder const& folder,
                 ContentErrors& errors, ImportObserver const& observer)
        : connection_(connection),
          schema_(schema),
          folder_(folder),
          errors_(errors),
          observer_(observer),
          meter_(folder, observer),
          constraints_(schema),
          census_(schema, constraints_, errors) {}

    // Leaves the rows alone if they are as the folder has them.
    parser::Result<ImportCount> run(bool is_trial, std::string const& refusal) {
        for (auto const& file : folder_.contents) {
            census_.take(*file);
            meter_.file_done(*file);
        }
        auto done = census_.read_existing(connection_);
        if (done && folder_.locales)
            done = import_locales(connection_, *folder_.locales, schema_.cms.layout, errors_);
        if (done) done = connection_.command(SqlPiece("SAVEPOINT content"));
        if (!done) return done.error();
        auto changes = replace();
        if (!changes) return changes.error();
        if (folder_.access) done = import_access(connection_, schema_, *folder_.access, errors_);
        if (!done) return done.error();
        auto count = total_of(*changes);
        count.errors = errors_.count();
        if (count.errors > 0) return count;
        bool const is_change = count.changed + count.removed > 0;
        bool const is_refused = is_change && !is_trial && !refusal.empty();
        if (is_change && (is_trial || is_refused)) report(*changes);
        if (is_refused) return parser::Error{parser::ErrorKind::configuration, refusal};
        return count;
    }

  private:
    // Reports the types that have any changes.
    void report(CountsByType const& changes) const {
        for (auto const& [uid, count] : changes)
            if (count.changed + count.removed > 0)
                observer_.report(uid + ": " + std::to_string(count.changed) +
                                 " entries are changed, " + std::to_string(count.removed) +
                                 " are removed");
    }

    // Writes what the folder has, and returns what that has changed.
    parser::Result<CountsByType> replace() {
        auto const locale = read_default_locale(connection_);
        if (!locale) return locale.error();
        census_.settle(*locale);
        auto const replaced = census_.replaced();
        auto const before = read_fingerprints(connection_, schema_, census_);
        if (!before) return before.error();
        RetainedValues retained;
        auto done = retained.read(connection_, schema_, replaced, true);
        if (done) done = delete_content(connection_, schema_, replaced);
        if (done) done = write(replaced, retained, *locale);
        if (!done) return done.error();
        if (errors_.any()) return CountsByType();
        auto const after = read_fingerprints(connection_, schema_, census_);
        if (!after) return after.error();
        if (*before == *after)
            done = connection_.command(SqlPiece("ROLLBACK TO SAVEPOINT content"));
        if (!done) return done.error();
        return changes_of(*before, *after, census_);
    }

    parser::Result<void> write(ReplacedTypes const& replaced, RetainedValues const& retained,
                               std::string const& locale) {
        Uniqueness uniqueness(connection_, constraints_, errors_);
        FolderEntries entries(connection_, census_, replaced, retained, uniqueness, errors_,
                              locale);
        for (auto const& file : folder_.contents) {
            if (auto done = write(entries, *file); !done) return done;
            meter_.file_done(*file);
        }
        auto done = entries.flush();
        if (done) done = uniqueness.check();
        if (done) done = delete_lost_pairs(connection_, schema_, replaced);
        if (done) done = entries.write_pairs();
        return done;
    }

    // The census has already reported what is wrong with the file.
    parser::Result<void> write(FolderEntries& entries, ContentFile& file) {
        std::vector<std::string> reported;
        file.rewind();
        for (;;) {
            auto const object = file.next();
            if (object && !*object) return {};
            if (!object) continue;
            auto record = read_record(schema_, file.type(), **object, reported);
            if (!census_.is_at(file.type(), record.id, file.place().line)) continue;
            if (auto done = entries.add(std::move(record), file.place()); !done) return done;
            meter_.entry_done(file.read());
        }
    }

    Connection& connection_;
    Schema const& schema_;
    Folder const& folder_;
    ContentErrors& errors_;
    ImportObserver const& observer_;
    Meter meter_;
    Constraints const constraints_;
    Census census_;
};

} // namespace

parser::Result<ImportCount> import_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& path,
                                          ImportOptions const& options,
                                          ImportObserver const& observer) {
    auto destination = prepare_import(connection, schema, options.replaced);
    if (!destination) return destination.error();
    // Why entries that are there stay as they are; empty if they need not.
    auto& refusal = destination->refusal;
    bool const may_change = options.may_change || !options.replaced.empty();
    if (refusal.empty() && !may_change)
        refusal = "entries that are there would be changed or removed; to do that, add --yes";
    ContentErrors errors(observer.error);
    auto const folder = open_folder(path, schema, errors, observer.report);
    if (!folder) return folder.error();
    return store(connection, destination->tables, options.is_trial, [&] {
        return FolderImport(connection, schema, *folder, errors, observer)
            .run(options.is_trial, refusal);
    });
}

} // namespace db
