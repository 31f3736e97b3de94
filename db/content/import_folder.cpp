#include "db/content/import.hpp"

#include "db/cms/accounts.hpp"
#include "db/content/changes.hpp"
#include "db/content/folder.hpp"
#include "db/content/folder_entries.hpp"
#include "db/content/preparation.hpp"
#include "db/content/settings.hpp"

namespace db {

namespace {

using Progress = std::function<void(double, std::size_t)>;

// Reports how much of all files has been read. Each is read twice: for the census, and to be
// written.
class Meter {
  public:
    Meter(Folder const& folder, Progress const& progress) : progress_(progress) {
        for (auto const& file : folder.contents)
            total_ += 2 * file->size();
    }
    void file_done(ContentFile const& file) {
        done_ += file.size();
        tell(0);
    }
    // `read` is the number of bytes read of the current file.
    void entry_done(std::uintmax_t read) {
        if (++entries_ % 256 == 0) tell(read);
    }

  private:
    void tell(std::uintmax_t more) const {
        if (progress_ && total_ > 0)
            progress_(static_cast<double>(done_ + more) / static_cast<double>(total_), entries_);
    }

    Progress const& progress_;
    std::uintmax_t total_ = 0;
    std::uintmax_t done_ = 0;
    std::size_t entries_ = 0;
};

class FolderImport {
  public:
    FolderImport(Connection& connection, Schema const& schema, Folder const& folder,
                 Mistakes& mistakes, ImportObserver const& observer)
        : connection_(connection),
          schema_(schema),
          folder_(folder),
          mistakes_(mistakes),
          observer_(observer),
          meter_(folder, observer.progress),
          constraints_(schema),
          census_(schema, constraints_, mistakes) {}

    // Leaves the rows alone if they are as the folder has them.
    parser::Result<ImportCount> run(bool is_trial, std::string const& refusal) {
        for (auto const& file : folder_.contents) {
            census_.take(*file);
            meter_.file_done(*file);
        }
        auto done = census_.read_existing(connection_);
        if (done && folder_.locales)
            done = import_locales(connection_, *folder_.locales, schema_.cms.layout, mistakes_);
        if (done) done = connection_.command(SqlPiece("SAVEPOINT content"));
        if (!done) return done.error();
        auto changes = replace();
        if (!changes) return changes.error();
        if (folder_.access) done = import_access(connection_, schema_, *folder_.access, mistakes_);
        if (!done) return done.error();
        auto count = changes->total();
        count.mistakes = mistakes_.count();
        if (count.mistakes > 0) return count;
        bool const is_change = count.changed + count.removed > 0;
        bool const is_refused = is_change && !is_trial && !refusal.empty();
        if (is_change && (is_trial || is_refused)) changes->tell(observer_.tell);
        if (is_refused) return parser::Error{parser::ErrorKind::configuration, refusal};
        return count;
    }

  private:
    // Writes what the folder has, and returns what that has changed.
    parser::Result<Changes> replace() {
        auto const locale = read_default_locale(connection_);
        if (!locale) return locale.error();
        census_.settle(*locale);
        auto const replaced = census_.replaced();
        auto const before = read_fingerprints(connection_, schema_, census_);
        if (!before) return before.error();
        Kept kept;
        auto done = kept.read(connection_, schema_, replaced, true);
        if (done) done = delete_content(connection_, schema_, replaced);
        if (done) done = write(replaced, kept, *locale);
        if (!done) return done.error();
        if (mistakes_.any()) return Changes();
        auto const after = read_fingerprints(connection_, schema_, census_);
        if (!after) return after.error();
        if (*before == *after)
            done = connection_.command(SqlPiece("ROLLBACK TO SAVEPOINT content"));
        if (!done) return done.error();
        return Changes(*before, *after, census_);
    }

    parser::Result<void> write(ReplacedTypes const& replaced, Kept const& kept,
                               std::string const& locale) {
        Uniqueness uniqueness(connection_, constraints_, mistakes_);
        FolderEntries entries(connection_, census_, replaced, kept, uniqueness, mistakes_, locale);
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
        std::vector<std::string> told;
        file.rewind();
        for (;;) {
            auto const object = file.next();
            if (object && !*object) return {};
            if (!object) continue;
            auto record = read_record(schema_, file.type(), **object, told);
            if (!census_.is_at(file.type(), record.id, file.place().line)) continue;
            if (auto done = entries.add(std::move(record), file.place()); !done) return done;
            meter_.entry_done(file.read());
        }
    }

    Connection& connection_;
    Schema const& schema_;
    Folder const& folder_;
    Mistakes& mistakes_;
    ImportObserver const& observer_;
    Meter meter_;
    Constraints const constraints_;
    Census census_;
};

// Returns why entries that are there stay as they are; empty if they need not.
parser::Result<std::string> refusal_of(Connection& connection, TableColumns const& tables,
                                       ImportOptions const& options) {
    auto const owner = owner_of(connection, tables, options.replaced);
    bool const may_change = options.may_change || !options.replaced.empty();
    if (!owner || !owner->empty() || may_change) return owner;
    return std::string("entries that are there would be changed or removed; to do that, add --yes");
}

} // namespace

parser::Result<ImportCount> import_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& path,
                                          ImportOptions const& options,
                                          ImportObserver const& observer) {
    if (auto locked = lock_for_import(connection); !locked) return locked.error();
    auto const tables = find_tables(connection, schema);
    if (!tables) return tables.error();
    auto const refusal = refusal_of(connection, *tables, options);
    if (!refusal) return refusal.error();
    Mistakes mistakes(observer.mistake);
    auto const folder = open_folder(path, schema, mistakes, observer.tell);
    if (!folder) return folder.error();
    return store(connection, *tables, options.is_trial, [&] {
        return FolderImport(connection, schema, *folder, mistakes, observer)
            .run(options.is_trial, *refusal);
    });
}

} // namespace db
