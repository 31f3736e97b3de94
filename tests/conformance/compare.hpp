#pragma once

#include "fcgi/commands/comparison.hpp"
#include "tests/conformance/record.hpp"

#include <optional>
#include <string>

// Is a response the recorded one?

namespace conformance {

using comparison::Mismatch;

struct Response {
    int status = 0;
    std::string content_type;
    std::string allow;
    std::string body;
};

// Numbers and strings may be written in different ways, except in the group `scalars`, where the
// writing itself is what was recorded.
std::optional<Mismatch> compare(Record const& record, Response const& response);

} // namespace conformance
