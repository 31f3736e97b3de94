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

// Knows which ids there are, in the folder and in the database. Call take() for each file first,
// then read_existing(), then settle(), then the rest.
class Census {
  public:
    Census(Schema const& schema, Constraints const& constraints, Mistakes& mistakes)
        : schema_(schema), constraints_(constraints), mistakes_(mistakes) {}

    // Checks every line of a file.
    void take(ContentFile& file);
    // Adds an entry that is to be removed.
    void take(Removed const& removed);
    // Reads the ids of all types that the folder names.
    parser::Result<void> read_existing(Connection& connection);
    // Finds the document of each row. `default_locale` is for entries that name none.
    void settle(std::string const& default_locale);

    // Returns whether the entry is the one in this line, and not a repetition of its id.
    bool is_at(ContentType const& type, std::uint64_t id, std::size_t line) const;
    // Returns whether a line of the type could not be read. That line may hold any entry.
    bool has_gaps(ContentType const& type) const;

    // Returns the rows to remove, by type. In Strapi 5 the draft or the published version of an
    // entry is removed with it.
    std::map<ContentType const*, std::vector<std::uint64_t>> removed() const;
    std::size_t removed_entries() const;

    // Returns whether the database has the entry and it is not to be removed.
    bool existed(ContentType const& type, std::uint64_t id) const;
    // Returns whether the folder has an entry of the type that the database has, or has not.
    bool names_any(ContentType const& type, bool existed) const;
    // Returns whether the folder or the database has the entry.
    bool is_known(ContentType const& type, std::uint64_t id) const;
    // The type must have documents, and the folder must name it.
    Documents const& documents(ContentType const& type) const { return types_.at(&type).documents; }
    // Returns an id that no component of the type has, neither in the folder nor in the database.
    std::uint64_t new_component(ContentType const& type) { return ++types_.at(&type).last; }

  private:
    struct Type {
        std::unordered_map<std::uint64_t, std::size_t> lines; // line in the folder, by id
        std::unordered_set<std::uint64_t> existing; // in the database; not filled for components
        Documents documents;                        // empty if the type has none
        std::uint64_t last = 0;                     // the highest id; used for components
        bool has_gaps = false;
        std::map<std::uint64_t, Origin> to_remove; // as listed in the folder
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
