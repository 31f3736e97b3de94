#pragma once

#include "db/content/clearance.hpp"
#include "db/content/constraints.hpp"
#include "db/content/content_file.hpp"
#include "db/content/documents.hpp"
#include "db/content/mistakes.hpp"
#include "db/content/record.hpp"
#include "db/mysql/connection.hpp"

#include <map>
#include <unordered_map>
#include <unordered_set>

namespace db {

// Knows which ids there are, in the folder and in the database, where those of the types that the
// folder names are replaced. Call take() for each file first, then read_existing(), then settle(),
// then the rest.
class Census {
  public:
    Census(Schema const& schema, Constraints const& constraints, Mistakes& mistakes)
        : schema_(schema), constraints_(constraints), mistakes_(mistakes) {}

    // Checks every line of a file.
    void take(ContentFile& file);
    // Reads the ids of the types that the folder names or refers to, and of their components.
    parser::Result<void> read_existing(Connection& connection);
    // Finds the document of each row. `default_locale` is for entries that name none.
    void settle(std::string const& default_locale);

    // Returns whether the entry is the one in this line, and not a repetition of its id.
    bool is_at(ContentType const& type, std::uint64_t id, std::size_t line) const;
    // Returns whether a line of the type could not be read. That line may hold any entry.
    bool has_gaps(ContentType const& type) const;

    ReplacedTypes replaced() const;
    // The lines of a type that is replaced, by id.
    std::unordered_map<std::uint64_t, std::size_t> const& lines(ContentType const& type) const {
        return types_.at(&type).lines;
    }
    // Returns the id of the draft for which the line of this entry stands as well; 0 if there is
    // none.
    std::uint64_t draft_of(ContentType const& type, std::uint64_t id) const;

    // Returns whether the database has the entry.
    bool existed(ContentType const& type, std::uint64_t id) const;
    // Returns whether the entry will be there.
    bool is_known(ContentType const& type, std::uint64_t id) const;
    // The type must have documents, and the folder must name it.
    Documents const& documents(ContentType const& type) const { return types_.at(&type).documents; }
    // Gives ids to the components that have none: those of the components in the same places, so
    // that these stay, or else new ones.
    void number_parts(Record& record);

  private:
    struct Part {
        ContentType const* type;
        std::uint64_t id;
    };
    struct Type {
        std::unordered_map<std::uint64_t, std::size_t> lines; // line in the folder, by id
        std::unordered_set<std::uint64_t> existing;           // in the database
        Documents documents;                                  // empty if the type has none
        // Components in the database, by id of the row and field, in their order.
        std::map<std::pair<std::uint64_t, std::string>, std::vector<Part>> parts;
        std::uint64_t last = 0; // the highest id; used for components
        bool has_gaps = false;
        bool is_replaced = false;
    };

    void count(Record const& record, Origin const& place);
    parser::Result<void> read_rows(Connection& connection, ContentType const& type, Type& ids);
    parser::Result<void> read_parts(Connection& connection, ContentType const& type, Type& ids);

    Schema const& schema_;
    Constraints const& constraints_;
    Mistakes& mistakes_;
    std::map<ContentType const*, Type> types_;
};

} // namespace db
