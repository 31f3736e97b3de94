#pragma once

#include "db/import/mistakes.hpp"
#include "db/import/record.hpp"
#include "db/mysql/connection.hpp"

#include <string>
#include <vector>

namespace db {

// An entry of the folder, or one of its components, that the database already has under this id.
struct Stored {
    Record const* record = nullptr;
    std::uint64_t id = 0;
    Origin place;
    std::size_t entry = 0; // index of the entry that it is or belongs to
};

struct Comparison {
    std::vector<Stored> rows; // the entries, and those of their components that the tables have
    struct Difference {
        Stored stored;
        std::string attribute;
    };
    std::vector<Difference> differences;
};

// Returns where the rows of these entries, all of one type, and of their components differ from the
// folder. Values that the folder leaves out must be NULL. Exceptions are createdAt, updatedAt and
// credentials, which may have any value, and publishedAt, which may be any time. Links are not
// compared.
parser::Result<Comparison> compare(Connection& connection, std::vector<Stored> const& entries);

} // namespace db
