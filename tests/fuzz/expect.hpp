#pragma once

#include <boost/json/value.hpp>

#include <string>
#include <string_view>

// The fuzz targets share this. A target is one function, libFuzzer's LLVMFuzzerTestOneInput, which
// takes any bytes and ends the program where something does not hold that must.

namespace fuzz {

// Says what does not hold and aborts, which a fuzzer takes for a crash.
void expect(bool holds, std::string_view what, std::string_view where = {});

// `text` is JSON, strictly UTF-8. Escaped halves of surrogate pairs, which are JSON but no
// character, are there as `\u0…`. Aborts if it is none.
boost::json::value json_of(std::string text);

// The path and the query of a URL without host.
std::string_view path_of(std::string_view url);
std::string_view query_of(std::string_view url);

} // namespace fuzz
