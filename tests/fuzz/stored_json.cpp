#include "fcgi/handler/scalar_json.hpp"
#include "tests/fuzz/expect.hpp"

#include <boost/json.hpp>

#include <cmath>
#include <cstdint>

// The text of a JSON column as it is answered.

using boost::json::value;
using fuzz::expect;

namespace {

// JavaScript has doubles alone, and prints those that JSON can't hold as null.
std::optional<double> number(value const& json) {
    if (json.is_int64()) return static_cast<double>(json.get_int64());
    if (json.is_uint64()) return static_cast<double>(json.get_uint64());
    if (json.is_double()) return json.get_double();
    return {};
}

// Boost.JSON rounds numbers less well than JavaScript.
bool are_close(double stored, double printed) {
    return std::abs(stored - printed) <= 1e-13 * std::abs(stored) + 1e-320;
}

bool same(value const& stored, value const& printed) {
    if (auto const number_stored = number(stored)) {
        if (!std::isfinite(*number_stored) || std::abs(*number_stored) > 1.7e308)
            return printed.is_null() || number(printed);
        return number(printed) && are_close(*number_stored, *number(printed));
    }
    if (auto const* list = stored.if_array()) {
        auto const* other = printed.if_array();
        return other && std::equal(list->begin(), list->end(), other->begin(), other->end(), same);
    }
    auto const* object = stored.if_object();
    if (!object) return stored == printed;
    auto const* other = printed.if_object();
    if (!other || other->size() != object->size()) return false;
    for (auto const& [name, member] : *object) {
        auto const* found = other->if_contains(name);
        if (!found || !same(member, *found)) return false;
    }
    return true;
}

std::string print(std::string_view json) {
    std::string out = "before";
    fcgi::append_stored_json(out, json);
    expect(out.starts_with("before"), "it is appended");
    return out.substr(6);
}

bool is_utf8(std::string_view bytes) {
    boost::system::error_code error;
    std::string json = "\"";
    for (char const c : bytes)
        json += c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ' ? ' ' : c;
    boost::json::parse(json + '"', error);
    return !error;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    std::string_view const stored(reinterpret_cast<char const*>(data), size);
    if (!is_utf8(stored)) return 0; // the database vouches for it
    auto const printed = print(stored);
    auto const json = fuzz::json_of(printed);
    // A string may hold JSON, which is read once more.
    if (!printed.starts_with('"')) expect(print(printed) == printed, "it is printed once", printed);

    boost::system::error_code error;
    auto const read = boost::json::parse(stored, error, {}, {.max_depth = 256});
    if (!error && !read.is_string()) expect(same(read, json), "it says the same", printed);
    return 0;
}
