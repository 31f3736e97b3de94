#pragma once

#include "db/content/insertion.hpp"
#include "db/content/kept.hpp"
#include "db/content/record.hpp"
#include "db/content/uniqueness.hpp"

#include <map>
#include <memory>
#include <string>

namespace db {

// Inserts entries with their components. No table has rows with their ids any more.
class Rows {
  public:
    Rows(Connection& connection, Mistakes& mistakes, Uniqueness& uniqueness, Kept const& kept)
        : connection_(connection), mistakes_(mistakes), uniqueness_(uniqueness), kept_(kept) {}

    // The record and its components have their ids. A value that is not given is NULL.
    parser::Result<void> add(Record const& record, Origin const& place);
    // Sends the rows that are left.
    parser::Result<void> flush();

  private:
    parser::Result<void> add_parts(Record const& record, Record::Parts const& parts,
                                   Origin const& place);
    Insertion& rows_of(ContentType const& type);
    Insertion& parts_of(ContentType const& type, Attribute const& attribute);

    Connection& connection_;
    Mistakes& mistakes_;
    Uniqueness& uniqueness_;
    Kept const& kept_;
    std::map<std::string, std::unique_ptr<Insertion>> insertions_; // by table
};

} // namespace db
