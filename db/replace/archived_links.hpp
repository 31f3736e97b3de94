#pragma once

#include "db/archive/contents.hpp"
#include "db/import/insertion.hpp"
#include "db/replace/archived_rows.hpp"

#include <map>
#include <memory>

namespace db {

// Writes pairs of an archive into empty tables, in its order and with its positions; Strapi orders
// pairs with equal positions by their rows. All rows that they name are there by now.
class ArchivedLinks {
  public:
    ArchivedLinks(Connection& connection, Schema const& schema, ArchivedRows const& rows,
                  Mistakes& mistakes, Tally& tally)
        : connection_(connection),
          schema_(schema),
          rows_(rows),
          mistakes_(mistakes),
          tally_(tally) {}

    parser::Result<void> add(ArchivedLink const& link, Origin const& place);
    parser::Result<void> finish();
    std::size_t count() const { return count_; }

  private:
    struct Pairs {
        explicit Pairs(Insertion of_table) : insertion(std::move(of_table)) {}
        Insertion insertion;
        boost::unordered_flat_set<std::uint64_t> ids; // of both ends
    };
    parser::Result<void> insert(ContentType const& owner, Attribute const& attribute,
                                ArchivedLink const& link, Origin const& place);
    parser::Result<void> update(Attribute const& attribute, ArchivedLink const& link);

    Connection& connection_;
    Schema const& schema_;
    ArchivedRows const& rows_;
    Mistakes& mistakes_;
    Tally& tally_;
    std::map<Attribute const*, std::unique_ptr<Pairs>> pairs_;
    std::size_t count_ = 0;
};

} // namespace db
