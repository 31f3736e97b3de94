#pragma once

#include "db/plan/read_plan.hpp"
#include "db/result_tree.hpp"
#include "parser/base/deadline.hpp"
#include "parser/base/memory_budget.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace fcgi {

// The JSON of an answer, appended to `out`, in the shapes of Strapi 4.26 and 5.54:
//
//     list    {"data":[ENTRY,…],"meta":{"pagination":{…}}}
//     entry   {"data":ENTRY,"meta":{}}
//     array   {"data":[ENTRY,…],"meta":{}}
//
// where ENTRY is, by ReadPlan::Format,
//
//     attributes {"id":1,"attributes":{…}}
//     documents  {"id":1,"documentId":"a1…","attributes":{…}}
//     flat       {"id":1,"documentId":"a1…",…}
//
// In the first two, relations and media are `{"data":…}` again, components stand flat, and what
// lies behind a polymorphic relation is flat all the way down. A zone's parts carry `__component`.
// The answers of plugins are flat in all formats:
//
//     plain_list [{"id":1,…}]     plain_entry {"id":1,…}     number 42
//
// There must be an entry: is_missing() says so, and that is the caller's 404.
//
// An entry is written wherever it is related, so that few rows can make an answer without end.
// Writing stops soon after a bound is reached; what is there then is no answer.
struct WritingBounds {
    std::size_t bytes = std::string::npos;
    parser::Deadline deadline = {};
    parser::MemoryShare* memory = nullptr; // grows with `out`
};
enum class Written : std::uint8_t { whole, too_long, too_late, no_memory };
// `last` ends each entry of the root: members that no column has, each after a comma.
Written append_envelope(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                        WritingBounds const& bounds = {}, std::string_view last = {});
bool is_missing(db::ReadPlan const& plan, db::ResultTree const& result);

// `{"id":1,…` with the columns of a row of the root, left open.
void append_columns(std::string& out, db::ReadPlan const& plan, db::ResultTree const& result,
                    db::Row const& row);

} // namespace fcgi
