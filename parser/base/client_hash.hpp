#pragma once

#include <cstddef>
#include <string_view>

namespace parser {

// Hashes keys that clients choose: URLs, names of parameters. The hash depends on bytes that each
// process draws for itself, so nobody outside can make up keys that all fall into one bucket, as
// they could with std::hash, whose seed is known.
struct ClientHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const;
};

} // namespace parser
