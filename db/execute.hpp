#pragma once

#include "db/mysql/connection.hpp"
#include "db/read_plan.hpp"
#include "db/result_tree.hpp"
#include "parser/limits.hpp"

namespace db {

struct ExecuteOptions {
    parser::Limits const& limits;
    parser::Deadline deadline;
    bool keep_sql = false; // the texts of the statements, for `explain`
};

// Reads a plan: one statement for each node that has parents (more only where their ids exceed one
// IN list), and one for the total where the page itself does not tell it. `connection` is in a
// snapshot. 400 if the limits on rows or bytes are passed, 504 past the deadline, which is looked
// at between statements; whatever was read is dropped.
parser::Result<ResultTree> execute(ReadPlan const& plan, Connection& connection,
                                   ExecuteOptions const& options);

} // namespace db
