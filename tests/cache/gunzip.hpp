#pragma once

#include <string>
#include <string_view>

namespace cache_test {

// Empty where it is no gzip.
std::string gunzip(std::string_view packed);

} // namespace cache_test
