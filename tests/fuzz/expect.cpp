#include "tests/fuzz/expect.hpp"

#include <boost/json/parse.hpp>

#include <cstdlib>
#include <iostream>

namespace fuzz {

void expect(bool holds, std::string_view what, std::string_view where) {
    if (holds) return;
    std::cerr << "does not hold: " << what << '\n' << where << std::endl;
    std::abort();
}

boost::json::value json_of(std::string text) {
    for (std::size_t i = 0; i + 2 < text.size(); ++i) {
        if (text[i] != '\\') continue;
        ++i;
        if (text[i] == 'u' && (text[i + 1] == 'd' || text[i + 1] == 'D')) text[i + 1] = '0';
    }
    boost::system::error_code error;
    auto value = boost::json::parse(text, error, {}, {.max_depth = 5'000});
    expect(!error, "it is JSON", text);
    return value;
}

std::string_view path_of(std::string_view url) {
    return url.substr(0, url.find('?'));
}

std::string_view query_of(std::string_view url) {
    url.remove_prefix(path_of(url).size());
    if (!url.empty()) url.remove_prefix(1);
    return url;
}

} // namespace fuzz
