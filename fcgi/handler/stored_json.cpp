#include "fcgi/handler/scalar_json.hpp"

#include "parser/base/javascript.hpp"

#include <boost/container/small_vector.hpp>
#include <boost/container/static_vector.hpp>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/error.hpp>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <tuple>
#include <utility>
#include <vector>

// The value of a JSON column, as JavaScript would print it: nearly every one is copied, and the
// others are printed.

namespace fcgi {

namespace {

constexpr std::size_t most_sorted_levels = 32;
constexpr std::size_t most_keys = 96; // of all open objects

class Scanner {
  public:
    explicit Scanner(std::string_view json) : at_(json.data()), end_(at_ + json.size()) {}

    bool document() {
        bool is_sound = open();
        while (is_sound && !levels_.empty())
            is_sound = is_in_object() ? member() : element();
        return is_sound && at_ == end_;
    }

  private:
    struct OpenValue { // an object or array
        bool is_object;
        bool is_empty;
        std::size_t first_key;           // in keys_
        std::uint64_t marks_of_keys = 0; // a bit for each; keys may share one
    };

    bool is_in_object() const { return levels_.back().is_object; }

    bool take(char c) {
        if (at_ == end_ || *at_ != c) return false;
        ++at_;
        return true;
    }
    bool take_one_of(std::string_view some) {
        bool const is_one = at_ != end_ && some.find(*at_) != some.npos;
        if (is_one) ++at_;
        return is_one;
    }
    bool take(std::string_view word) {
        if (!std::string_view(at_, end_).starts_with(word)) return false;
        at_ += word.size();
        return true;
    }

    bool open() {
        if (at_ == end_ || (*at_ != '{' && *at_ != '[') || levels_.size() == most_sorted_levels)
            return false;
        levels_.push_back({*at_++ == '{', true, keys_.size()});
        return true;
    }

    bool close() {
        keys_.resize(levels_.back().first_key);
        levels_.pop_back();
        return true;
    }

    // Takes the comma before a member or element; the first has none.
    bool separated() {
        bool const is_first = std::exchange(levels_.back().is_empty, false);
        return is_first || take(',');
    }

    bool element() {
        if (take(']')) return close();
        return separated() && value();
    }

    bool member() {
        if (take('}')) return close();
        if (!separated()) return false;
        char const* const begin = at_;
        if (!string()) return false;
        return is_new_key({begin, at_}) && take(':') && value();
    }

    // Equal keys have the same mark. `key` includes its quotes.
    static unsigned mark_of(std::string_view key) {
        return (static_cast<unsigned char>(key[1]) * 5U +
                static_cast<unsigned char>(key.end()[-2]) +
                static_cast<unsigned>(key.size()) * 11U) %
               64;
    }

    // JavaScript moves keys that are indices to the front, and keeps the last of equal keys.
    bool is_new_key(std::string_view key) {
        OpenValue& level = levels_.back();
        auto const known = keys_.begin() + static_cast<std::ptrdiff_t>(level.first_key);
        auto const mark = std::uint64_t{1} << mark_of(key);
        bool const may_be_known = (level.marks_of_keys & mark) != 0;
        if (parser::is_digit(key[1]) || keys_.size() == most_keys ||
            (may_be_known && std::find(known, keys_.end(), key) != keys_.end()))
            return false;
        level.marks_of_keys |= mark;
        keys_.push_back(key);
        return true;
    }

    bool value() {
        if (at_ == end_) return false;
        switch (*at_) {
        case '"':
            return string();
        case '{':
        case '[':
            return open();
        case 't':
            return take("true");
        case 'f':
            return take("false");
        case 'n':
            return take("null");
        default:
            return number();
        }
    }

    bool string() {
        if (!take('"')) return false;
        for (;;) {
            at_ = parser::find_json_escape(at_, end_);
            if (take('"')) return true;
            if (!take('\\') || !escape()) return false;
        }
    }

    // Takes an escape as stringify writes it: with one character where there is such an escape, and
    // with four digits only for the other control characters.
    bool escape() {
        if (!take("u00")) return take_one_of("\"\\bfnrt");
        return take('0') ? take_one_of("01234567bef")
                         : take('1') && take_one_of("0123456789abcdef");
    }

    bool number() {
        char const* const begin = at_;
        at_ = parser::end_of_printed(at_, end_);
        return at_ != begin;
    }

    char const* at_;
    char const* const end_;
    boost::container::static_vector<OpenValue, most_sorted_levels> levels_;
    boost::container::static_vector<std::string_view, most_keys> keys_;
};

// JavaScript's strings may hold half of a surrogate pair, which UTF-8 can't express but JSON can
// (\ud800). Here such a half is written as UTF-8 would write its number, in three bytes.

bool is_surrogate(std::uint32_t code) {
    return code >= 0xD800 && code <= 0xDFFF;
}
bool is_leading(std::uint32_t code) {
    return code >= 0xD800 && code <= 0xDBFF;
}

// Appends the UTF-8 of a code that takes three or four bytes.
void append_code(std::string& out, std::uint32_t code) {
    auto const byte = [&](std::uint32_t bits) { out += static_cast<char>(bits); };
    if (code > 0xFFFF) {
        byte(0xF0 | code >> 18);
        byte(0x80 | (code >> 12 & 0x3F));
    } else {
        byte(0xE0 | code >> 12);
    }
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
}

// Reads an escape, such as \ud800, at the beginning of `text`.
std::optional<std::uint32_t> escaped_surrogate(std::string_view text) {
    std::uint32_t code = 0;
    if (text.size() < 6 || !text.starts_with("\\u")) return std::nullopt;
    char const* const end = text.data() + 6;
    if (std::from_chars(text.data() + 2, end, code, 16).ptr != end) return std::nullopt;
    return is_surrogate(code) ? std::optional(code) : std::nullopt;
}

// Reads the three bytes of a half at the beginning of `text`.
std::optional<std::uint32_t> written_surrogate(std::string_view text) {
    auto const byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    if (text.size() < 3 || byte(0) != 0xED || byte(1) < 0xA0) return std::nullopt;
    return 0xD000u | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);
}

// Takes one half off the beginning of `text`, or a pair, which is one character. `half` reads a
// half of `size` bytes.
std::optional<std::uint32_t> take(std::string_view& text, auto half, std::size_t size) {
    auto const first = half(text);
    if (!first) return std::nullopt;
    text.remove_prefix(size);
    auto const second = is_leading(*first) ? half(text) : std::nullopt;
    if (!second || is_leading(*second)) return first;
    text.remove_prefix(size);
    return 0x10000 + ((*first & 0x3FF) << 10 | (*second & 0x3FF));
}

// Turns each escape of a lone half in JSON text into three bytes, and each pair into its character.
std::string unescape_surrogates(std::string_view json) {
    std::string out;
    while (!json.empty()) {
        if (auto const code = take(json, escaped_surrogate, 6)) {
            append_code(out, *code);
        } else {
            // A backslash goes with the character that it escapes.
            std::size_t const size = json[0] == '\\' ? 2 : 1;
            out += json.substr(0, size);
            json.remove_prefix(std::min(size, json.size()));
        }
    }
    return out;
}

// Makes, from `begin` on, each pair of such halves one character and each lone half an escape
// again, as JSON.stringify prints it.
void escape_surrogates(std::string& out, std::size_t begin) {
    std::string const text = out.substr(begin);
    std::string_view rest = text;
    out.resize(begin);
    while (!rest.empty()) {
        auto const code = take(rest, written_surrogate, 3);
        if (!code) {
            out += rest[0];
            rest.remove_prefix(1);
        } else if (is_surrogate(*code)) {
            char digits[4];
            std::to_chars(digits, digits + 4, *code, 16);
            out.append("\\u").append(digits, 4);
        } else {
            append_code(out, *code);
        }
    }
}

// The handler of a boost::json::basic_parser that prints what JavaScript would have made of the
// document. Values go straight to the output as they are read. An object is rearranged only at its
// end, and only if JavaScript would not keep its members as they are.
class JsonPrinter {
  public:
    static constexpr std::size_t max_object_size = SIZE_MAX;
    static constexpr std::size_t max_array_size = SIZE_MAX;
    static constexpr std::size_t max_key_size = SIZE_MAX;
    static constexpr std::size_t max_string_size = SIZE_MAX;

    // Appends to `out`. If the document is a string, `text` gets what it holds, not escaped.
    JsonPrinter(std::string& out, std::string& text) : out_(out), text_(text), begin_(out.size()) {}

    using Error = boost::json::error_code;
    bool on_document_begin(Error&) { return true; }
    bool on_document_end(Error&) { return true; }
    bool on_object_begin(Error&);
    bool on_object_end(std::size_t, Error&);
    bool on_array_begin(Error&);
    bool on_array_end(std::size_t, Error&);
    bool on_key_part(std::string_view part, std::size_t, Error&);
    bool on_key(std::string_view part, std::size_t, Error&);
    bool on_string_part(std::string_view part, std::size_t, Error&);
    bool on_string(std::string_view part, std::size_t, Error&);
    bool on_number_part(std::string_view, Error&) { return true; }
    bool on_int64(std::int64_t, std::string_view number, Error&);
    bool on_uint64(std::uint64_t, std::string_view number, Error&);
    bool on_double(double, std::string_view number, Error&);
    bool on_bool(bool value, Error&);
    bool on_null(Error&);
    bool on_comment_part(std::string_view, Error&) { return true; }
    bool on_comment(std::string_view, Error&) { return true; }

  private:
    // A member of an open object, as it stands in the output from `begin` on: "name":value
    struct PrintedMember {
        std::size_t begin;
        std::size_t name_size; // escaped, without its quotes
    };

    void separate();
    void open_string();
    std::string_view name(PrintedMember const& member) const;
    bool has_same_name(PrintedMember const& a, PrintedMember const& b) const;
    bool is_in_order(std::size_t first) const;
    void arrange(std::size_t first);

    std::string& out_;
    std::string& text_;
    std::size_t begin_;
    bool in_string_ = false; // a string has been begun
    // The members of all open objects, and the index of the first member of each object.
    boost::container::small_vector<PrintedMember, 32> members_;
    boost::container::small_vector<std::size_t, 16> objects_;
};

void JsonPrinter::separate() {
    if (out_.size() == begin_) return;
    char const last = out_.back();
    if (last != '{' && last != '[' && last != ':') out_ += ',';
}

void JsonPrinter::open_string() {
    if (in_string_) return;
    separate();
    out_ += '"';
    in_string_ = true;
}

bool JsonPrinter::on_object_begin(Error&) {
    separate();
    out_ += '{';
    objects_.push_back(members_.size());
    return true;
}

bool JsonPrinter::on_object_end(std::size_t, Error&) {
    std::size_t const first = objects_.back();
    if (!is_in_order(first)) arrange(first);
    out_ += '}';
    objects_.pop_back();
    members_.resize(first);
    return true;
}

bool JsonPrinter::on_array_begin(Error&) {
    separate();
    out_ += '[';
    return true;
}

bool JsonPrinter::on_array_end(std::size_t, Error&) {
    out_ += ']';
    return true;
}

bool JsonPrinter::on_key_part(std::string_view part, std::size_t, Error&) {
    if (!in_string_) {
        open_string();
        members_.push_back({out_.size() - 1, 0});
    }
    parser::append_json_escaped(out_, part);
    return true;
}

bool JsonPrinter::on_key(std::string_view part, std::size_t size, Error& error) {
    on_key_part(part, size, error);
    in_string_ = false;
    members_.back().name_size = out_.size() - members_.back().begin - 1;
    out_ += "\":";
    return true;
}

bool JsonPrinter::on_string_part(std::string_view part, std::size_t, Error&) {
    open_string();
    parser::append_json_escaped(out_, part);
    if (out_[begin_] == '"') text_ += part;
    return true;
}

bool JsonPrinter::on_string(std::string_view part, std::size_t size, Error& error) {
    on_string_part(part, size, error);
    in_string_ = false;
    out_ += '"';
    return true;
}

bool JsonPrinter::on_int64(std::int64_t, std::string_view number, Error& error) {
    // Numbers of so few digits are printed as they are written.
    if (number.size() > 15 || number == "-0") return on_double(0, number, error);
    separate();
    out_ += number;
    return true;
}

bool JsonPrinter::on_uint64(std::uint64_t, std::string_view number, Error& error) {
    return on_double(0, number, error);
}

// Boost.JSON's own value may be off in the last place.
bool JsonPrinter::on_double(double, std::string_view number, Error&) {
    separate();
    double const value = *parser::javascript_number(number);
    if (std::isfinite(value))
        parser::append_number(out_, value);
    else
        out_ += "null";
    return true;
}

bool JsonPrinter::on_bool(bool value, Error&) {
    separate();
    out_ += value ? "true" : "false";
    return true;
}

bool JsonPrinter::on_null(Error&) {
    separate();
    out_ += "null";
    return true;
}

std::string_view JsonPrinter::name(PrintedMember const& member) const {
    return std::string_view(out_).substr(member.begin + 1, member.name_size);
}

bool JsonPrinter::has_same_name(PrintedMember const& a, PrintedMember const& b) const {
    return a.name_size == b.name_size && out_[a.begin + 1] == out_[b.begin + 1] &&
           name(a) == name(b);
}

// Returns whether the members from `first` on have different names, none of them integer-like.
bool JsonPrinter::is_in_order(std::size_t first) const {
    constexpr std::size_t few = 16;
    std::size_t const size = members_.size();
    for (std::size_t i = first; i < size; ++i) {
        if (parser::array_index(name(members_[i]))) return false;
        for (std::size_t j = first; j < i && i - first < few; ++j)
            if (has_same_name(members_[i], members_[j])) return false;
    }
    if (size - first <= few) return true;
    std::vector<std::string_view> names;
    for (std::size_t i = first; i < size; ++i)
        names.push_back(name(members_[i]));
    std::ranges::sort(names);
    return std::ranges::adjacent_find(names) == names.end();
}

void JsonPrinter::arrange(std::size_t first) {
    struct RankedMember {
        std::uint32_t rank; // its index; names without one come after all indices
        std::string_view name;
        std::size_t place;
        std::string_view text;
    };
    std::size_t const begin = members_[first].begin;
    std::string const printed = out_.substr(begin);
    std::vector<RankedMember> texts;
    texts.reserve(members_.size() - first);
    for (std::size_t i = first; i < members_.size(); ++i) {
        std::size_t const from = members_[i].begin - begin;
        std::size_t const end = i + 1 < members_.size() ? members_[i + 1].begin - 1 : out_.size();
        auto const text = std::string_view(printed).substr(from, end - begin - from);
        auto const name = text.substr(1, members_[i].name_size);
        texts.push_back({parser::array_index(name).value_or(UINT32_MAX), name, i, text});
    }
    // Of equal names, the first one's place and the last one's text stay.
    std::ranges::stable_sort(
        texts, {}, [](RankedMember const& text) { return std::tie(text.rank, text.name); });
    std::size_t kept = 0;
    for (RankedMember const& text : texts)
        if (kept > 0 && texts[kept - 1].name == text.name)
            texts[kept - 1].text = text.text;
        else
            texts[kept++] = text;
    texts.resize(kept);
    std::ranges::sort(texts, {},
                      [](RankedMember const& text) { return std::tie(text.rank, text.place); });
    out_.resize(begin);
    for (RankedMember const& text : texts) {
        separate();
        out_ += text.text;
    }
}

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

bool is_canonical_json(std::string_view json) {
    return Scanner(json).document();
}

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
