#pragma once

#include "db/plan/read_plan.hpp"
#include "db/read/result_tree.hpp"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

// A request on its way, on paper: what is asked, and what each stage makes of it.
//
//     === an article and the name of its author
//     GET /api/articles?fields[0]=title&populate[author][fields][0]=name
//     --- plan
//     node 0 root api::article.article fields title
//     node 1   link author api::author.author fields name
//     --- sql
//     0 SELECT …
//     1 SELECT …
//     --- rows
//     0: 7 | Oslo
//     1: 7 > 3 | Ada
//     total: 1
//     --- json
//     {"data":[…]}
//
// The rows are given; all else is expected. A request that is refused has `--- error` alone. Who
// may not do everything has `--- may`, and a scope a line.

namespace cases {

struct Case {
    std::string file;
    std::string name;
    std::string request;
    std::map<std::string, std::string> sections; // each ends with a line feed
};

// Returns the cases of all *.txt in a folder, by name.
std::vector<Case> read_cases(std::filesystem::path const& folder);

// The section `rows` as what was read for `plan`. A line is `node: row`, and a row
//
//     7 | Oslo | NULL           of the root, or of one part of a zone: id, then the cells
//     7 > 3 | Ada               of a link: id of the parent, id of the entry, cells
//     7 photos > 3 | …          …where several attributes share the node
//     7 > blocks.hero 3         of pairs: the type of the entry
//     7 > 3                     of counts: how many; of an entry that stands above: no cells
//
// Throws where the text does not fit the plan. Cells point into `rows`.
db::ResultTree read_rows(db::ReadPlan const& plan, std::string const& rows);

} // namespace cases
