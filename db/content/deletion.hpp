#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"
#include "parser/base/error.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace db {

// The types whose entries are replaced: those of an archive or, if that is a part of a site, those
// that it has entries of; or those that a folder names.
struct ReplacedTypes {
    std::set<ContentType const*> types;
    bool are_all = false; // of the site

    bool contains(ContentType const& type) const { return types.contains(&type); }
};

using Ids = std::vector<std::uint64_t>;

// Appends the condition that the column has one of these values.
SqlText& in(SqlText& sql, std::string const& column, std::span<std::uint64_t const> ids);
SqlText& in(SqlText& sql, std::string const& column, ReplacedTypes const& replaced);

// Calls `each` with as many ids at a time as suit one statement.
template<class Each>
parser::Result<void> by_chunks(Ids const& ids, Each const& each) {
    constexpr std::ptrdiff_t most = 500;
    for (auto first = ids.begin(); first != ids.end();) {
        auto const last = first + std::min(most, ids.end() - first);
        if (auto done = each(Ids(first, last)); !done) return done;
        first = last;
    }
    return {};
}

// Begins a statement that removes pairs of an attribute, with a condition to follow: it deletes
// their rows or, in the owner's own row, empties the columns.
SqlText without_pairs(Attribute const& attribute);

// Deletes rows with their components.
parser::Result<void> delete_rows(Connection& connection, Schema const& schema,
                                 ContentType const& type, Ids const& ids);

// Deletes all rows of these types with their components. Pairs stay, and wait for rows with the
// same ids.
parser::Result<void> delete_content(Connection& connection, Schema const& schema,
                                    ReplacedTypes const& replaced);

// Deletes the pairs that the types have with each other. Pairs of components stay, unless all types
// are replaced.
parser::Result<void> delete_pairs(Connection& connection, Schema const& schema,
                                  ReplacedTypes const& replaced);

// Deletes the pairs that stayed, but of which one row is gone.
parser::Result<void> delete_lost_pairs(Connection& connection, Schema const& schema,
                                       ReplacedTypes const& replaced);

// What a source may leave out of a row that it replaces, and the row keeps: columns that refer to
// rows that stay, such as who created an entry; and, if the source is a folder, credentials and
// times.
class RetainedValues {
  public:
    // Must be called before the rows are deleted. `of_lines` also reads credentials and times.
    parser::Result<void> read(Connection& connection, Schema const& schema,
                              ReplacedTypes const& replaced, bool of_lines);

    // The columns that refer to rows, and appends a value for each of them.
    std::vector<std::string> const& links_of(ContentType const& type) const;
    void append_links(SqlText& row, ContentType const& type, std::uint64_t id) const;
    // Returns the literal of a credential or time of a row that was there.
    SqlText value(ContentType const& type, std::uint64_t id, Attribute const& attribute) const;

    // Returns whether the attribute is createdAt, updatedAt or publishedAt of an entry.
    static bool is_time(ContentType const& type, Attribute const& attribute);

  private:
    using Values = std::vector<std::optional<std::string>>;
    struct RetainedRows {
        std::vector<std::string> links;                 // columns
        std::vector<std::string> scalars;               // columns
        std::unordered_map<std::uint64_t, Values> rows; // links, then scalars; rows with any
    };
    RetainedRows const& find(ContentType const& type) const;
    static parser::Result<void> read_rows(Connection& connection, SqlText const& sql,
                                          RetainedRows& retained);

    std::map<ContentType const*, RetainedRows> types_;
};

} // namespace db
