#pragma once

#include "db/import/constraints.hpp"
#include "db/import/content_file.hpp"
#include "db/import/documents.hpp"
#include "db/import/folder.hpp"
#include "db/import/mistakes.hpp"
#include "db/import/record.hpp"
#include "db/mysql/connection.hpp"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace db {

// Which ids there are, in the folder and in the database. First take() each file, then ask the
// database, then settle the documents, then use the rest.
class Census {
  public:
    Census(Schema const& schema, Constraints const& constraints, Mistakes& mistakes)
        : schema_(schema), constraints_(constraints), mistakes_(mistakes) {}

    // Checks every line of a file.
    void take(ContentFile& file);
    // An entry that is to go.
    void take(Removed const& removed);
    // Reads the ids of all types that the folder names.
    parser::Result<void> read_existing(Connection& connection);
    // Finds the document of each row. `default_locale` is for entries that name none.
    void settle(std::string const& default_locale);

    // Whether the entry is the one that the file has in this line, and not a repetition of its id.
    bool is_at(ContentType const& type, std::uint64_t id, std::size_t line) const;
    // Whether a line of the type could not be read, so that it may have any entry.
    bool has_gaps(ContentType const& type) const;

    // The rows that are to go, by type; of Strapi 5 an entry's draft, or what is published of it,
    // goes with it.
    std::map<ContentType const*, std::vector<std::uint64_t>> removed() const;
    std::size_t removed_entries() const;

    // Whether the database has the entry, and keeps it.
    bool existed(ContentType const& type, std::uint64_t id) const;
    // Whether the folder has an entry of the type that the database has, or has not.
    bool names_any(ContentType const& type, bool existed) const;
    // Whether the folder or the database has it.
    bool is_known(ContentType const& type, std::uint64_t id) const;
    // Of a type with documents that the folder names.
    Documents const& documents(ContentType const& type) const { return types_.at(&type).documents; }
    // An id that no component of the type has, neither in the folder nor in the database.
    std::uint64_t new_component(ContentType const& type) { return ++types_.at(&type).last; }

  private:
    struct Type {
        std::unordered_map<std::uint64_t, std::size_t> lines; // in the folder, by id
        std::unordered_set<std::uint64_t> existing;           // in the database; not of components
        Documents documents;                                  // where the type has any
        std::uint64_t last = 0;                               // the highest id, of components
        bool has_gaps = false;
        std::map<std::uint64_t, Origin> to_remove; // as the folder lists them
        std::vector<std::uint64_t> removed;        // rows of the database
    };

    void count(Record const& record, Origin const& place);
    static parser::Result<void> read_components(Connection& connection, ContentType const& type,
                                                Type& ids);
    parser::Result<void> read_entries(Connection& connection, ContentType const& type, Type& ids);

    Schema const& schema_;
    Constraints const& constraints_;
    Mistakes& mistakes_;
    std::map<ContentType const*, Type> types_;
};

} // namespace db
