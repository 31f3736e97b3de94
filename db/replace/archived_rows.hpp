#pragma once

#include "db/archive/contents.hpp"
#include "db/import/constraints.hpp"
#include "db/import/insertion.hpp"
#include "db/import/removal.hpp"
#include "db/import/uniqueness.hpp"
#include "db/replace/clearance.hpp"
#include "db/replace/tally.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include <map>
#include <memory>
#include <unordered_map>

namespace db {

// Columns of a type's own rows that the archive does not have, since they refer to rows that it
// does not replace: who created an entry, and who updated it. Rows keep their values in them.
class KeptColumns {
  public:
    // Must be called before the rows are deleted.
    parser::Result<void> read(Connection& connection, ContentType const& type,
                              ReplacedTypes const& replaced);
    std::vector<std::string> const& names() const { return names_; }
    // Appends a value for each of the columns.
    void append(Insertion::Row& row, std::uint32_t id) const;

  private:
    std::vector<std::string> names_;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> values_; // 0: NULL
};

// Writes entries of an archive into empty tables, each with its components.
class ArchivedRows {
  public:
    ArchivedRows(Connection& connection, Schema const& schema, Mistakes& mistakes, Tally& tally);

    // Reads those of all types; must be called before their rows are deleted.
    parser::Result<void> read_kept_columns(ReplacedTypes const& replaced);
    parser::Result<void> add(ArchivedEntry const& entry, Origin const& place);
    // Writes the rows that are left.
    parser::Result<void> finish();

    // Returns whether the row is there; components count, too.
    bool has(ContentType const& type, std::uint32_t id) const;
    std::size_t count() const { return count_; }

  private:
    parser::Result<void> insert(ContentType const& type, std::uint32_t id,
                                boost::json::object const& data, std::string const& where,
                                Origin const& place);
    parser::Result<void> insert_parts(ContentType const& type, std::uint32_t id,
                                      Attribute const& attribute, boost::json::value const& value,
                                      std::string const& where, Origin const& place);
    parser::Result<void> insert_part(ContentType const& type, std::uint32_t id,
                                     Attribute const& attribute, boost::json::value const& value,
                                     std::size_t order, std::string const& where,
                                     Origin const& place);
    parser::Result<void> take_back(ContentType const& type, std::uint32_t id);
    void check(ContentType const& type, boost::json::object const& data);
    void tell_unknown(ContentType const& type, boost::json::object const& data);
    parser::Result<void> flush();
    Insertion& rows_of(ContentType const& type);
    Insertion& parts_of(ContentType const& type, Attribute const& attribute);

    Connection& connection_;
    Schema const& schema_;
    Mistakes& mistakes_;
    Tally& tally_;
    Constraints constraints_;
    Mistakes repeated_{nullptr}; // repeated values of unique attributes: counted, not reported
    Uniqueness uniqueness_;
    Removal removal_;
    std::map<ContentType const*, KeptColumns> kept_;
    std::map<std::string, std::unique_ptr<Insertion>> insertions_; // by table
    std::unordered_map<ContentType const*, boost::unordered_flat_set<std::uint32_t>> ids_;
    std::size_t count_ = 0;
};

} // namespace db
