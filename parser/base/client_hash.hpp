#pragma once

#include <cstddef>
#include <string_view>

namespace parser {

// The hash of what clients choose: URLs, names of parameters. It depends on bytes that each process
// draws for itself, so that nobody outside can make up keys that all fall into one bucket, as can
// be done with std::hash, whose seed is known.
struct ClientHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const;
};

} // namespace parser
