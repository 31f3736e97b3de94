#include "fcgi/server/parameters.hpp"

#include "fcgi/server/record.hpp"

#include <algorithm>
#include <utility>

#include <fcgiapp.h>

namespace fcgi {

namespace {

constexpr std::size_t usual_count = 40; // a web server sends about so many

bool fits_environment(Pair const& pair) {
    constexpr std::string_view not_in_names("\0=", 2);
    return pair.name.find_first_of(not_in_names) == pair.name.npos &&
           pair.value.find('\0') == pair.value.npos;
}

} // namespace

Parameters::Parameters(std::pmr::string contents)
    : text_(std::move(contents)), entries_(text_.get_allocator()) {
    entries_.reserve(usual_count);
    // A pair takes at least two bytes for its lengths, and here two for `=` and NUL: no byte is
    // moved behind its place.
    char* end = text_.data();
    for (std::string_view left = text_; !left.empty();) {
        auto const pair = cut_pair(left);
        bool const fits = pair && fits_environment(*pair);
        whole_ = whole_ && fits;
        if (!pair) break;
        if (!fits) continue;
        entries_.push_back(end);
        end = std::ranges::copy(pair->name, end).out;
        *end++ = '=';
        end = std::ranges::copy(pair->value, end).out;
        *end++ = '\0';
    }
    entries_.push_back(nullptr);
}

std::string_view Parameters::value(char const* name) const {
    char const* text = FCGX_GetParam(name, const_cast<char**>(entries_.data()));
    return text ? text : std::string_view();
}

} // namespace fcgi
