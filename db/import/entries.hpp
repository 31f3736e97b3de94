#pragma once

#include "db/import/census.hpp"
#include "db/import/comparison.hpp"
#include "db/import/import.hpp"
#include "db/import/insertion.hpp"
#include "db/import/link_table.hpp"
#include "db/import/removal.hpp"
#include "db/import/uniqueness.hpp"

#include <deque>
#include <map>
#include <memory>
#include <set>
#include <string>

namespace db {

// Writes entries to the tables. New ones are inserted with their components; existing ones are
// compared, and changed in an update. Links are written last, when all rows are there.
class Entries {
  public:
    // The census must be settled. `default_locale` is for entries that name none.
    Entries(Connection& connection, Schema const& schema, Census& census,
            Constraints const& constraints, Mistakes& mistakes, std::string default_locale,
            bool is_update);

    parser::Result<void> add(Record record, Origin const& place);
    // Compares the existing entries that are left, and changes them. Until it is called, new rows
    // may conflict with their old values.
    parser::Result<void> update();
    // Writes the rows that are left, then the links.
    parser::Result<void> finish();

    ImportCount count() const;

  private:
    parser::Result<void> add_row(Record record, Origin const& place);
    void complete(Record& record, bool is_new) const;
    void complete_document(Record& record) const;
    parser::Result<void> insert(Record const& record, std::uint64_t id, Origin const& place);
    parser::Result<void> insert_parts(Record const& record, std::uint64_t id, Origin const& place);
    parser::Result<void> compare_waiting();
    enum class Change : std::uint8_t { none, row, parts };
    std::vector<Change> changes_of(Comparison const& comparison);
    parser::Result<void> keep_credentials(Record& record);
    parser::Result<void> make_room(Comparison const& comparison);
    parser::Result<void> update_row(Stored const& stored);
    parser::Result<void> touch();
    Source source_of(Stored const& entry) const;
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
    Constraints const& constraints_;
    Uniqueness uniqueness_;
    SqlText now_; // in the time zone of the CMS
    std::string default_locale_;
    bool is_update_;
    Removal removal_;
    std::size_t added_ = 0;
    std::size_t existed_ = 0;
    std::set<Source> changed_; // in their rows or components
    std::set<Source> changed_in_links_;
    std::map<std::string, std::unique_ptr<Insertion>> insertions_;
    std::map<Attribute const*, std::unique_ptr<LinkTable>> links_; // by the owning attribute
    std::deque<Record> records_;                                   // the records of `waiting_`
    std::vector<Stored> waiting_; // existing entries of one type, to be compared
    struct Changed {
        Record record;
        Stored stored; // its `record` points to the one above
        Change change;
    };
    std::deque<Changed> changing_; // to be changed
};

} // namespace db
