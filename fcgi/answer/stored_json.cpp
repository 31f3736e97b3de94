#include "fcgi/answer/stored_json.hpp"

#include "fcgi/answer/canonical_json.hpp"
#include "fcgi/answer/json_printer.hpp"
#include "fcgi/answer/surrogates.hpp"
#include "parser/base/javascript.hpp"

#include <boost/json/basic_parser_impl.hpp>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <array>
#include <atomic>
#include <random>

namespace fcgi {

namespace {

// MySQL stores at most 100 levels, MariaDB checks at most 32.
constexpr std::size_t most_stored_levels = 256;

// Appends `json` as JavaScript prints it. If it is a string, `text` is set to its characters.
// Appends nothing and returns false if it is not JSON.
bool print(std::string& out, std::string_view json, std::string& text, bool any_bytes) {
    std::size_t const begin = out.size();
    text.clear();
    boost::json::parse_options options;
    options.max_depth = most_stored_levels;
    options.allow_invalid_utf8 = any_bytes;
    boost::json::basic_parser<JsonPrinter> parser(options, out, text);
    boost::json::error_code error;
    std::size_t const used = parser.write_some(false, json.data(), json.size(), error);
    if (!error && used == json.size()) return true;
    out.resize(begin);
    return false;
}

// Does the same, but allows half surrogate pairs. Boost.JSON refuses these, so they pass through it
// as bytes that are not UTF-8.
bool print_document(std::string& out, std::string_view json, std::string& text) {
    if (print(out, json, text, false)) return true;
    std::size_t const begin = out.size();
    if (!print(out, unescape_surrogates(json), text, true)) return false;
    escape_surrogates(out, begin);
    return true;
}

// The hashes of texts that were found to be canonical: content is read far more often than it
// changes, and hashing takes a tenth of the time of checking. The seed is random, so that nobody
// can write a text with the hash of another. Any thread may use this.
constinit std::array<std::atomic<std::uint64_t>, 65'536> canonical_texts{};

std::uint64_t random_seed() {
    std::random_device random; // of 32 bits
    return std::uint64_t{random()} << 32 | random();
}

bool is_canonical(std::string_view json) {
    static std::uint64_t const seed = random_seed();
    auto const hash = XXH3_64bits_withSeed(json.data(), json.size(), seed);
    auto& known = canonical_texts[hash % canonical_texts.size()];
    if (known.load(std::memory_order_relaxed) == hash) return true;
    if (!is_canonical_json(json)) return false;
    known.store(hash, std::memory_order_relaxed);
    return true;
}

} // namespace

void append_stored_json(std::string& out, std::string_view json) {
    if (is_canonical(json)) {
        out += json;
        return;
    }
    std::size_t const begin = out.size();
    std::string text;
    if (!print_document(out, json, text)) return parser::append_json_string(out, json);
    if (out[begin] != '"') return;
    std::string inner;
    std::string unused;
    if (print_document(inner, text, unused)) out.replace(begin, out.npos, inner);
}

} // namespace fcgi
