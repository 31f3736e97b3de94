#pragma once

#include "db/import/mistakes.hpp"
#include "db/import/record.hpp"
#include "db/mysql/connection.hpp"

#include <string>
#include <vector>

namespace db {

// An entry of the folder, or a component in it, that the database has already, under this id.
struct Stored {
    Record const* record = nullptr;
    std::uint64_t id = 0;
    Origin place;
    std::size_t entry = 0; // which of the entries it is, or is in
};

struct Comparison {
    std::vector<Stored> rows; // the entries, and the components that the tables have for them
    struct Difference {
        Stored stored;
        std::string attribute;
    };
    std::vector<Difference> differences;
};

// Where the rows of these, all of one type, and of their components say something else than the
// folder. Values that the folder leaves out have to be NULL, but for createdAt, updatedAt and
// credentials, which may be anything, and publishedAt, which may be any time. Links are not
// compared.
parser::Result<Comparison> compare(Connection& connection, std::vector<Stored> const& entries);

} // namespace db
