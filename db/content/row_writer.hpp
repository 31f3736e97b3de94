#pragma once

#include "db/content/constraints.hpp"
#include "db/content/content_errors.hpp"
#include "db/content/deletion.hpp"
#include "db/content/record.hpp"
#include "db/mysql/connection.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace db {

// A pair of a relation, as the attribute that owns it has it.
struct LinkPair {
    std::uint64_t owner = 0;
    std::uint64_t target = 0;
    std::string_view target_type; // of a polymorphic one, as is `field`, which may be empty
    std::string_view field;
    std::optional<double> position; // in the owner's list
    std::optional<double> inverse;  // in the target's list
};

// Inserts entries with their components, and pairs of relations, many rows per statement. No table
// has rows with their ids any more. A row that the server refuses is an error in the source.
class RowWriter {
  public:
    RowWriter(Connection& connection, ContentErrors& errors, Uniqueness& uniqueness,
              RetainedValues const& retained);
    ~RowWriter();

    // The record and its components have their ids. A value that is not given is NULL.
    parser::Result<void> add(Record const& record, FilePlace const& place);
    // Adds a pair to the table of the relation or to the owner's row. The rows have been sent.
    parser::Result<void> add(Attribute const& owning, LinkPair const& pair, FilePlace const& place);
    // Sends the rows that are left.
    parser::Result<void> flush();

  private:
    class Insertion;
    parser::Result<void> add_parts(Record const& record, Record::Parts const& parts,
                                   FilePlace const& place);
    Insertion& rows_of(ContentType const& type);
    Insertion& parts_of(ContentType const& type, Link const& link);
    Insertion& pairs_of(Attribute const& owning);

    Connection& connection_;
    ContentErrors& errors_;
    Uniqueness& uniqueness_;
    RetainedValues const& retained_;
    std::map<std::string, std::unique_ptr<Insertion>> insertions_; // by table
};

} // namespace db
