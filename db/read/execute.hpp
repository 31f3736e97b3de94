#pragma once

#include "db/mysql/pool.hpp"
#include "db/read/result_tree.hpp"
#include "db/read/select.hpp"
#include "parser/base/limits.hpp"
#include "parser/base/memory_budget.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace db {

// A statement that was sent, whether it succeeded or not; for `explain`, logs and metrics.
struct SentStatement {
    std::optional<std::uint32_t> node; // absent: the total
    std::uint64_t rows = 0;
    std::chrono::nanoseconds duration{0};
    std::string sql = {};    // if asked for
    bool with_total = false; // see Statements::total
    Form form = Form::usual;
    bool counts_links = false; // which the node's own statement is to sort
    bool given_up = false;     // all was sent again in the usual forms
};

// Returns the text of the statement, in which the place of ids that were read before is left empty.
SqlText text_of(SentStatement const& sent, SelectedPlan const& plan);

struct ExecuteOptions {
    parser::Limits const& limits;
    parser::Deadline deadline;
    parser::MemoryShare& memory; // for what is read; outlives the result
    bool keep_sql = false;       // in SentStatement::sql
    Forms forms = Forms::chosen;
};

// How a plan is best read, judged by recent reads of plans of its shape.
struct ReadMethod {
    Form root = Form::usual;                 // of the statement of the root
    bool with_total = false;                 // the total is a column of the root's rows
    Extent extent = Extent::statement;       // if one statement is enough, it needs no snapshot
    std::optional<std::uint64_t> total = {}; // if it is known, it is not read
};
ReadMethod method_for(SelectedPlan const& plan, Forms forms,
                      std::optional<std::uint64_t> total = {});
// Returns whether a total is read with the plan.
bool has_total(ReadPlan const& plan);

// Returns whether everything must be read again, in a snapshot: the connection of a single
// statement turned out to be lost, which beginning a snapshot would have noticed. (All
// reasons to send a statement again: read() in fcgi/handler/handle_request.hpp.)
bool needs_snapshot(parser::Result<ResultTree> const& result, Connection const& connection);

// Reads a plan on a connection on which the extent that `method` needs has begun. Sends one
// statement for each node that has parents (more only if their ids exceed one IN list, or if there
// are more rows than its kind gave lately), and one for the total unless the page itself or a
// column of it gives it. Rows and bytes are counted as they come, and no more than one above a
// limit is read. Errors are `over_limit` by rows or bytes, `unavailable` if the memory for them is
// refused, and `timed_out` past the deadline, or before a statement that would take too long is
// sent; whatever was read is dropped. `sent` is given each statement as it is sent, and so has them
// on an error too.
parser::Result<ResultTree> execute(SelectedPlan const& plan, ReadMethod const& method,
                                   Connection& connection, ExecuteOptions const& options,
                                   std::vector<SentStatement>& sent);

} // namespace db
