#pragma once

#include "tests/properties/request.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace properties {

// Makes requests that nobody thought of, out of such as were: a URL is cut into pieces (parameters,
// key segments, values, path segments, bytes), and some of them are dropped, doubled, swapped, cut,
// encoded otherwise, or replaced by odd ones or by those of another request.
class Mutation {
  public:
    // `names` are put in besides odd texts. Neither list is empty.
    Mutation(std::vector<Request> originals, std::vector<std::string> names);

    // The same seed and number always make the same request.
    Request mutant(std::uint64_t seed, std::uint64_t number) const;

  private:
    std::vector<Request> originals_;
    std::vector<std::string> names_;
    std::vector<std::string> odd_;
};

// `url` cut before each byte of `separators`; before every byte if there are none.
std::vector<std::string> pieces_of(std::string const& url, std::string_view separators);

} // namespace properties
