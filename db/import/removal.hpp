#pragma once

#include "db/mysql/connection.hpp"
#include "db/schema/schema.hpp"

#include <cstdint>
#include <vector>

namespace db {

// Removes rows from the tables, with their components and with the pairs that name their type,
// unless Names::wait keeps these pairs for new rows with the same ids. The foreign keys of the
// tables remove the pairs that name no type.
class Removal {
  public:
    enum class Names : bool { go, wait };
    Removal(Connection& connection, Schema const& schema, Names names = Names::go);

    using Ids = std::vector<std::uint64_t>;
    parser::Result<void> rows(ContentType const& type, Ids const& ids);
    // Removes only the components of these rows.
    parser::Result<void> parts_of(ContentType const& type, Ids const& ids);

  private:
    parser::Result<void> remove_rows(ContentType const& type, Ids const& ids);
    parser::Result<void> remove_parts(ContentType const& type, Ids const& ids);
    parser::Result<void> forget(ContentType const& type, Ids const& ids);

    Connection& connection_;
    Schema const& schema_;
    std::vector<Link const*> naming_; // links that name types, except those of components
};

} // namespace db
