#pragma once

#include "db/mysql/pool.hpp"
#include "db/result_tree.hpp"
#include "db/select/select.hpp"
#include "parser/base/limits.hpp"
#include "parser/base/memory_budget.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
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
};

// Its text, with a place for what depends on what was read before.
SqlText text_of(SentStatement const& sent, Statements const& statements);

struct ExecuteOptions {
    parser::Limits const& limits;
    parser::Deadline deadline;
    parser::MemoryShare& memory; // for what is read; outlives it
    bool keep_sql = false;       // the texts of the statements
};

// A connection to read so much of one moment.
using Connect = std::function<parser::Result<Connection*>(Extent)>;

// Reads a plan: one statement for each node that has parents (more only where their ids exceed one
// IN list, or rows turn out to be more than its kind gave lately), and one for the total where
// neither the page itself tells it nor a column of it does. Where one does for all, it needs no
// snapshot; if its connection turns out to be lost, all is read in one after all. Rows and
// bytes are counted as they come, and no more than one above a limit is read: `over_limit` by rows
// or bytes, `unavailable` where the memory for them is refused, `timed_out` past the deadline;
// whatever was read is dropped. `sent` is given each statement as it is sent, and so has them on an
// error too.
parser::Result<ResultTree> execute(SelectedPlan const& plan, Connect const& connect,
                                   ExecuteOptions const& options, std::vector<SentStatement>& sent);

} // namespace db
