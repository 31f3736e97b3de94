#pragma once

#include <string>
#include <string_view>

namespace parser {

// Says where in the query something stands, written `populate[author][fields]`. The text is built
// only for an error. Without a parent and a key, it is the query itself.
struct Place {
    Place const* parent = nullptr;
    std::string_view key = {};

    std::string text() const;
};

} // namespace parser
