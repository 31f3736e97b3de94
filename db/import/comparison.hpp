#pragma once

#include "db/import/folder.hpp"
#include "db/import/record.hpp"
#include "db/mysql/connection.hpp"

#include <functional>
#include <vector>

namespace db {

// An entry of the folder, or a component in it, that the database has already, under this id.
struct Stored {
    Record const* record = nullptr;
    std::uint64_t id = 0;
    Origin place;
};

// Whether the rows of these, all of one type, and of their components say what the folder says; the
// error names the first place where they do not. Values that the folder leaves out have to be NULL,
// but for createdAt and updatedAt, which may be anything, and publishedAt, which may be any time.
// Links are not compared: `same` is called for each entry and component with its own id.
parser::Result<void> compare(Connection& connection, std::vector<Stored> const& entries,
                             std::function<parser::Result<void>(Stored const&)> const& same);

} // namespace db
