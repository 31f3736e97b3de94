#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>

namespace properties {

// The same seed and number always make the same choices.
class Random {
  public:
    Random(std::uint64_t seed, std::uint64_t number) {
        std::seed_seq sequence{seed, seed >> 32, number, number >> 32};
        engine_.seed(sequence);
    }

    // Below `end`, which is not 0. A distribution of the library's may differ from one to another.
    std::size_t below(std::size_t end) { return engine_() % end; }

    template<class Range>
    auto const& of(Range const& range) {
        return *(std::begin(range) + static_cast<std::ptrdiff_t>(below(std::size(range))));
    }

  private:
    std::mt19937_64 engine_;
};

} // namespace properties
