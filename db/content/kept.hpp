#pragma once

#include "db/content/clearance.hpp"
#include "db/content/insertion.hpp"

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace db {

// What a source may leave out of a row that it replaces, and the row keeps: columns that refer to
// rows that stay, such as who created an entry; and, if the source is a folder, credentials and
// times.
class Kept {
  public:
    // Must be called before the rows are deleted. `of_lines` also reads credentials and times.
    parser::Result<void> read(Connection& connection, Schema const& schema,
                              ReplacedTypes const& replaced, bool of_lines);

    // The columns that refer to rows, and appends a value for each of them.
    std::vector<std::string> const& links_of(ContentType const& type) const;
    void append_links(Insertion::Row& row, ContentType const& type, std::uint64_t id) const;
    // Returns the literal of a credential or time of a row that was there.
    SqlText value(ContentType const& type, std::uint64_t id, Attribute const& attribute) const;

    // Returns whether the attribute is createdAt, updatedAt or publishedAt of an entry.
    static bool is_time(ContentType const& type, Attribute const& attribute);

  private:
    using Values = std::vector<std::optional<std::string>>;
    struct Type {
        std::vector<std::string> links;                 // columns
        std::vector<std::string> scalars;               // columns
        std::unordered_map<std::uint64_t, Values> rows; // links, then scalars; rows with any
    };
    Type const& find(ContentType const& type) const;
    static parser::Result<void> read_rows(Connection& connection, SqlText const& sql, Type& type);

    std::map<ContentType const*, Type> types_;
};

} // namespace db
