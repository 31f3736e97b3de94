#include "db/import/import.hpp"

#include "db/cms/accounts.hpp"
#include "db/import/entries.hpp"
#include "db/import/folder.hpp"
#include "db/import/preparation.hpp"
#include "db/import/settings.hpp"

namespace db {

namespace {

using Progress = std::function<void(double, std::size_t)>;

// Reports how much of all files has been read. Each is read three times: for the census, for
// entries that existed and for those that did not.
class Meter {
  public:
    Meter(Folder const& folder, Progress const& progress) : progress_(progress) {
        for (auto const& file : folder.contents)
            total_ += 3 * file->size();
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

// Adds the entries of a file that existed, or the others. The census has already reported what is
// wrong with the file.
parser::Result<void> add_entries(Entries& entries, Census const& census, ContentFile& file,
                                 Schema const& schema, bool existed, Meter& meter) {
    std::vector<std::string> told;
    file.rewind();
    for (;;) {
        auto const object = file.next();
        if (object && !*object) return {};
        if (!object) continue;
        auto record = read_record(schema, file.type(), **object, told);
        if (!census.is_at(file.type(), record.id, file.place().line)) continue;
        if (census.existed(file.type(), record.id) != existed) continue;
        if (auto done = entries.add(std::move(record), file.place()); !done) return done;
        meter.entry_done(file.read());
    }
}

// Existing entries come first, since what they no longer have may go to others.
parser::Result<void> add_all(Entries& entries, Census const& census, Folder const& folder,
                             Schema const& schema, Meter& meter) {
    for (bool const existed : {true, false}) {
        for (auto const& file : folder.contents) {
            bool const has_any = census.names_any(file->type(), existed);
            auto const done = has_any ? add_entries(entries, census, *file, schema, existed, meter)
                                      : parser::Result<void>();
            if (!done) return done;
            meter.file_done(*file);
        }
        if (auto done = entries.update(); !done) return done;
    }
    return entries.finish();
}

parser::Result<ImportCount> import_all(Connection& connection, Schema const& schema,
                                       Folder const& folder, bool is_update, Mistakes& mistakes,
                                       Progress const& progress) {
    Constraints const constraints(schema);
    Census census(schema, constraints, mistakes);
    Meter meter(folder, progress);
    for (auto const& file : folder.contents) {
        census.take(*file);
        meter.file_done(*file);
    }
    for (auto const& removed : folder.removed) {
        if (!is_update) mistakes.add({removed.place.file}, "expected only for an update");
        census.take(removed);
    }
    if (auto done = census.read_existing(connection); !done) return done.error();
    Removal removal(connection, schema);
    for (auto const& [type, ids] : census.removed())
        if (auto done = removal.rows(*type, ids); !done) return done.error();
    auto const& layout = schema.cms.layout;
    if (folder.locales)
        if (auto done = import_locales(connection, *folder.locales, layout, mistakes); !done)
            return done.error();
    auto const locale = read_default_locale(connection);
    if (!locale) return locale.error();

    census.settle(*locale);
    Entries entries(connection, schema, census, constraints, mistakes, *locale, is_update);
    if (auto done = add_all(entries, census, folder, schema, meter); !done) return done.error();
    if (folder.access)
        if (auto done = import_access(connection, schema, *folder.access, mistakes); !done)
            return done.error();
    auto count = entries.count();
    count.removed = census.removed_entries();
    count.mistakes = mistakes.count();
    return count;
}

} // namespace

parser::Result<ImportCount> import_folder(Connection& connection, Schema& schema,
                                          std::filesystem::path const& path,
                                          ImportOptions const& options,
                                          ImportObserver const& observer) {
    if (auto locked = lock_for_import(connection); !locked) return locked.error();
    auto const tables = find_tables(connection, schema);
    if (!tables) return tables.error();
    Mistakes mistakes(observer.mistake);
    auto const folder = open_folder(path, schema, mistakes);
    if (!folder) return folder.error();
    if (auto begun = begin_import(connection); !begun) return begun.error();
    auto count =
        import_all(connection, schema, *folder, options.is_update, mistakes, observer.progress);
    bool const is_to_stay = count && count->mistakes == 0 && !options.is_trial;
    auto const is_in_doubt = end_import(connection, is_to_stay);
    if (!is_in_doubt) return is_in_doubt.error();
    if (*is_in_doubt) {
        count->is_in_doubt = true;
        return count;
    }
    bool const is_other = count && count->added + count->changed + count->removed > 0;
    if (is_to_stay && is_other) refresh_statistics(connection, *tables);
    return count;
}

} // namespace db
