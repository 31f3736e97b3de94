#pragma once

#include "db/content/constraints.hpp"
#include "db/content/contents.hpp"
#include "db/content/pair_table.hpp"
#include "db/content/rows.hpp"
#include "db/content/tally.hpp"

#include <boost/unordered/unordered_flat_set.hpp>

#include <map>
#include <memory>
#include <unordered_map>

namespace db {

// Writes the entries of an archive, then its pairs, in its order and with its positions; Strapi
// orders pairs with equal positions by their rows. The rows of their types are deleted before.
class ArchivedEntries {
  public:
    ArchivedEntries(Connection& connection, Schema const& schema, Kept const& kept,
                    Mistakes& mistakes, Tally& tally);

    parser::Result<void> add(ArchivedEntry const& entry, Origin const& place);
    // Writes the rows that are left; must be called before pairs are added.
    parser::Result<void> finish();
    parser::Result<void> add(ArchivedLink const& link, Origin const& place);
    parser::Result<void> finish_pairs();

    std::size_t entries() const { return entries_; }
    std::size_t links() const { return links_; }

  private:
    struct Pairs {
        PairTable table;
        boost::unordered_flat_set<std::uint64_t> ids; // of both ends
    };
    Record record_of(ContentType const& type, std::uint32_t id, boost::json::object const& data,
                     std::string const& where, Origin const& place);
    SqlText value_of(ContentType const& type, Attribute const& attribute,
                     boost::json::value const* value, std::string const& where,
                     Origin const& place);
    Record::Parts parts_of(Attribute const& attribute, boost::json::value const& value,
                           std::string const& where, Origin const& place);
    void add_part(Record::Parts& parts, Attribute const& attribute, boost::json::value const& value,
                  std::string const& where, Origin const& place);
    void check(ContentType const& type, boost::json::object const& data);
    void tell_unknown(ContentType const& type, boost::json::object const& data);
    bool has(ContentType const& type, std::uint32_t id) const; // components count, too
    parser::Result<void> take_back(ContentType const& type, std::uint32_t id);

    Connection& connection_;
    Schema const& schema_;
    Mistakes& mistakes_;
    Tally& tally_;
    Constraints constraints_;
    Mistakes repeated_{nullptr}; // repeated values of unique attributes: counted, not reported
    Uniqueness uniqueness_;
    Rows rows_;
    std::unordered_map<ContentType const*, boost::unordered_flat_set<std::uint32_t>> ids_;
    std::map<Attribute const*, std::unique_ptr<Pairs>> pairs_;
    std::size_t entries_ = 0;
    std::size_t links_ = 0;
};

} // namespace db
