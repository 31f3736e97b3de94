#pragma once

#include "db/content/census.hpp"
#include "db/content/link_table.hpp"
#include "db/content/rows.hpp"

#include <map>
#include <memory>
#include <string>

namespace db {

// Writes the entries of a folder, each with what its line leaves out, then the pairs of their
// relations. The rows of their types are deleted before.
class FolderEntries {
  public:
    // The census must be settled. `default_locale` is for entries that name none.
    FolderEntries(Connection& connection, Census& census, ReplacedTypes const& replaced,
                  Kept const& kept, Uniqueness& uniqueness, Mistakes& mistakes,
                  std::string default_locale);

    parser::Result<void> add(Record record, Origin const& place);
    // Sends the rows that are left.
    parser::Result<void> flush() { return rows_.flush(); }
    parser::Result<void> write_pairs();

  private:
    parser::Result<void> add_row(Record record, Origin const& place);
    void complete(Record& record) const;
    void complete_document(Record& record) const;
    void clear_links(Record const& record);
    void add_links(Record const& record, LinkEnd entry, Origin const& place);
    bool are_known(Record::Links const& links, Attribute const& attribute, Origin const& place);
    LinkEnd end_of(ContentType const& type, std::uint64_t id) const;
    bool is_known(Record::Reference const& target) const;
    std::vector<LinkTable::Linked> rows_of(Record::Reference const& target,
                                           Record::Standing const& from) const;
    LinkTable* link_table(ContentType const& type, Attribute const& attribute);

    Connection& connection_;
    Census& census_;
    ReplacedTypes const& replaced_;
    Kept const& kept_;
    Mistakes& mistakes_;
    Rows rows_;
    SqlText now_; // in the time zone of the CMS
    std::string default_locale_;
    std::map<Attribute const*, std::unique_ptr<LinkTable>> links_; // by the owning attribute
};

} // namespace db
