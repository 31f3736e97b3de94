#pragma once

#include "db/read/select.hpp"
#include "fcgi/answer/service.hpp"
#include "parser/base/error.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fcgi {

// Requests whose statements differ in values alone.
struct Shape {
    std::shared_ptr<db::SelectedPlan const> plan; // of the first one
    std::string target; // its path and query, with `?` for what moves a terminal's cursor
    std::uint64_t asked = 0;
};

struct RecordedRequests {
    std::vector<Shape> shapes; // the most asked first
    std::uint64_t planned = 0; // requests of these shapes
    std::uint64_t others = 0;  // lines without a request that the database would be read for
};

// Reads the GET and HEAD requests of a file, `-` for standard input. A line has the combined format
// of nginx and Apache, or is only a path with its query. The log does not say who asked, so all are
// bound as from a caller with all permissions.
parser::Result<RecordedRequests> read_requests(Service& service, std::string const& path);

} // namespace fcgi
