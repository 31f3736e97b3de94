#pragma once

#include "db/import/census.hpp"
#include "db/import/comparison.hpp"
#include "db/import/import.hpp"
#include "db/import/insertion.hpp"
#include "db/import/link_table.hpp"
#include "db/import/uniqueness.hpp"

#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>

namespace db {

// Entries on their way into the tables: new ones are inserted with their components, existing ones
// compared. Their links are kept for the end, when all rows are there.
class Entries {
  public:
    // Of a census that is settled. `default_locale` is for entries that name none.
    Entries(Connection& connection, Census& census, Constraints const& constraints,
            Mistakes& mistakes, std::string default_locale);

    parser::Result<void> add(Record record, Origin const& place);
    // Sends what is left, then the links.
    parser::Result<void> finish(Version version);

    ImportCount count() const { return count_; }

  private:
    parser::Result<void> add_row(Record record, Origin const& place);
    void complete(Record& record, bool is_new) const;
    void complete_document(Record& record) const;
    parser::Result<void> insert(Record const& record, std::uint64_t id, Origin const& place);
    parser::Result<void> insert_parts(Record const& record, std::uint64_t id, Origin const& place);
    parser::Result<void> compare_waiting();
    void add_links(Record const& record, LinkEnd entry, Origin const& place);
    bool are_known(Record::Links const& links, Attribute const& attribute, Origin const& place);
    LinkEnd end_of(ContentType const& type, std::uint64_t id) const;
    bool is_known(Record::Reference const& target) const;
    std::vector<LinkTable::Linked> rows_of(Record::Reference const& target,
                                           Record::Standing const& from) const;
    Insertion& rows_of(ContentType const& type);
    Insertion& parts_of(ContentType const& type, Attribute const& attribute);
    LinkTable& link_table(ContentType const& type, Attribute const& attribute);

    Connection& connection_;
    Census& census_;
    Mistakes& mistakes_;
    Uniqueness uniqueness_;
    SqlText now_; // by the clock of the CMS
    std::string default_locale_;
    ImportCount count_;
    std::map<std::string, std::unique_ptr<Insertion>> insertions_;
    std::map<Attribute const*, std::unique_ptr<LinkTable>> links_; // by the owning attribute
    std::deque<Record> records_;                                   // of `waiting_`
    std::vector<Stored> waiting_; // existing entries of one type, to be compared
};

} // namespace db
