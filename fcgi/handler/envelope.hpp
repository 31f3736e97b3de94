#pragma once

#include "db/plan/read_plan.hpp"
#include "db/read/result_tree.hpp"
#include "parser/base/limits.hpp"
#include "parser/base/memory_budget.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fcgi {

// append_envelope() appends the JSON of a response to `out`, in the shapes of Strapi 4.26 and 5.54:
//
//     list    {"data":[ENTRY,…],"meta":{"pagination":{…}}}
//     entry   {"data":ENTRY,"meta":{}}
//     array   {"data":[ENTRY,…],"meta":{}}
//
// The ReadPlan::Format decides what ENTRY is:
//
//     attributes {"id":1,"attributes":{…}}
//     documents  {"id":1,"documentId":"a1…","attributes":{…}}
//     flat       {"id":1,"documentId":"a1…",…}
//
// In the first two, relations and media are `{"data":…}` again, components are flat, and entries
// behind a polymorphic relation are flat at all levels. The parts of a zone have `__component`.
// The responses of plugins are flat in all formats:
//
//     plain_list [{"id":1,…}]     plain_entry {"id":1,…}     number 42
//
// If is_missing() is true, there is no entry to write, and the caller has to respond with 404.
//
// An entry is written wherever it is related, so few rows can make an endless response. Writing
// stops soon after a limit is reached; what has been written by then is not a response.
struct WritingLimits {
    std::size_t bytes = std::string::npos;
    parser::Deadline deadline = {};
    parser::MemoryShare* memory = nullptr; // grows with `out`
};
enum class WritingEnd : std::uint8_t { whole, too_long, too_late, no_memory };
// `last` ends each entry of the root: it has members that no column has, each after a comma.
WritingEnd append_envelope(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                           WritingLimits const& limits = {}, std::string_view last = {});
bool is_missing(db::ReadPlan const& plan, db::ResultTree const& result);

// Appends `{"id":1,…` with the columns of a row of the root, without the closing brace.
void append_columns(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                    db::Row const& row);

} // namespace fcgi
