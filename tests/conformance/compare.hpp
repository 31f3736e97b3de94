#pragma once

#include "tests/conformance/record.hpp"

#include <optional>
#include <string>
#include <string_view>

// Is an answer the recorded one? The order of object members never matters, that of lists does.

namespace conformance {

struct Answer {
    int status = 0;
    std::string content_type;
    std::string allow;
    std::string body;
};

// The first place where an answer is another one.
struct Difference {
    std::string_view
        cause;         // status, content type, allow, missing key, extra key, length, order, value
    std::string where; // data/0/attributes/title
    std::string expected;
    std::string got;
};

// Numbers and strings may be written in different ways, except in the group `scalars`, where the
// writing itself is what was recorded.
std::optional<Difference> compare(Record const& record, Answer const& answer);

} // namespace conformance
