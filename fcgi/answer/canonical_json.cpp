#include "fcgi/answer/canonical_json.hpp"

#include "parser/base/javascript.hpp"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

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
    struct Level {
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
        Level& level = levels_.back();
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
    boost::container::static_vector<Level, most_sorted_levels> levels_;
    boost::container::static_vector<std::string_view, most_keys> keys_;
};

} // namespace

bool is_canonical_json(std::string_view json) {
    return Scanner(json).document();
}

} // namespace fcgi
