#include "parser/lexer.hpp"

#include <boost/spirit/home/x3.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>

namespace parser {

namespace {

// Says how a character of UTF-8 continues after its first byte. The second byte has a range of its
// own, which rules out overlong forms, surrogates and code points beyond U+10FFFF.
struct Lead {
    std::size_t size = 0; // of the whole character; 0: no character starts with this
    unsigned char second_from = 0x80;
    unsigned char second_to = 0xBF;
};

Lead lead(unsigned char first) {
    if (first < 0x80) return {1};
    if (first < 0xC2) return {0};
    if (first < 0xE0) return {2};
    if (first == 0xE0) return {3, 0xA0};
    if (first == 0xED) return {3, 0x80, 0x9F};
    if (first < 0xF0) return {3};
    if (first == 0xF0) return {4, 0x90};
    if (first < 0xF4) return {4};
    if (first == 0xF4) return {4, 0x80, 0x8F};
    return {0};
}

bool continues(Lead const& character, std::size_t position, unsigned char byte) {
    if (position == 1) return byte >= character.second_from && byte <= character.second_to;
    return byte >= 0x80 && byte <= 0xBF;
}

// Returns the byte of the escape %XX at `at`.
std::optional<unsigned char> escaped_byte(std::string_view token, std::size_t at) {
    if (token.size() - at < 3 || token[at] != '%') return std::nullopt;
    unsigned char byte = 0;
    char const* const end = token.data() + at + 3;
    if (std::from_chars(token.data() + at + 1, end, byte, 16).ptr != end) return std::nullopt;
    return byte;
}

// Returns the size of the character whose escapes start at `at`; 0 if they are malformed.
std::size_t escaped_character(std::string_view token, std::size_t at) {
    auto const first = escaped_byte(token, at);
    if (!first) return 0;
    Lead const character = lead(*first);
    for (std::size_t i = 1; i < character.size; ++i) {
        auto const byte = escaped_byte(token, at + 3 * i);
        if (!byte || !continues(character, i, *byte)) return 0;
    }
    return character.size;
}

bool escapes_are_well_formed(std::string_view token) {
    for (auto at = token.find('%'); at != token.npos; at = token.find('%', at)) {
        std::size_t const size = escaped_character(token, at);
        if (size == 0) return false;
        at += 3 * size;
    }
    return true;
}

namespace x3 = boost::spirit::x3;

// Matches what a bracket encloses, up to the bracket that closes it; brackets inside come in pairs.
// A recursive rule would use stack for each bracket that a client sends; this parser counts
// brackets and uses none.
struct Enclosed : x3::parser<Enclosed> {
    using attribute_type = x3::unused_type;
    static constexpr bool has_attribute = false;

    template<class Iterator>
    bool parse(Iterator& first, Iterator const& last, auto const&, auto&, auto&) const {
        std::size_t open = 0;
        for (auto at = first; at != last; ++at) {
            if (*at == '[') ++open;
            if (*at != ']' || open-- > 0) continue;
            first = at;
            return true;
        }
        return false;
    }
};

auto const group = '[' >> x3::raw[*~x3::char_("[]")] >> ']';
auto const closed_group = '[' >> x3::raw[Enclosed{}] >> ']';
auto const open_group = x3::raw['[' >> *x3::char_];

// Cuts a key by `root *depth( group skipped ) [ rest ]`. `groups` makes the grammar of one group
// from the action that takes its name.
void cut(std::string_view key, std::size_t depth, auto const& groups, auto const& skipped,
         std::vector<Segment>& segments) {
    segments.clear();
    auto const add = [&](SegmentKind kind) {
        return [&segments, kind](auto const& context) {
            auto const& range = x3::_attr(context);
            if (kind == SegmentKind::group || !range.empty())
                segments.push_back({kind, {range.begin(), range.end()}});
        };
    };
    auto const grammar =
        x3::raw[skipped][add(SegmentKind::root)] >>
        x3::repeat(std::size_t{0}, depth)[groups(add(SegmentKind::group)) >> skipped] >>
        x3::raw[*x3::char_][add(SegmentKind::rest)];
    x3::parse(key.begin(), key.end(), grammar);
}

} // namespace

std::string_view decode_component(std::span<char> token) {
    std::replace(token.begin(), token.end(), '+', ' ');
    return decode_escapes(token);
}

std::string_view decode_escapes(std::span<char> token) {
    std::string_view const encoded(token.data(), token.size());
    std::size_t const first = encoded.find('%');
    if (first == encoded.npos || !escapes_are_well_formed(encoded)) return encoded;
    std::size_t size = first;
    for (std::size_t at = first; at < token.size(); ++size) {
        auto const byte = escaped_byte(encoded, at);
        token[size] = byte ? static_cast<char>(*byte) : token[at];
        at += byte ? 3 : 1;
    }
    return encoded.substr(0, size);
}

void replace_invalid_utf8(std::string& text) {
    constexpr auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
    auto const byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    auto const next = [&](std::size_t at) {
        auto const from = text.begin() + static_cast<std::ptrdiff_t>(at);
        auto const found = std::find_if_not(from, text.end(), is_ascii);
        return static_cast<std::size_t>(found - text.begin());
    };
    std::string valid;
    std::size_t copied = 0;
    for (std::size_t at = next(0); at < text.size(); at = next(at)) {
        Lead const character = lead(byte(at));
        std::size_t size = 1;
        while (size < character.size && at + size < text.size() &&
               continues(character, size, byte(at + size)))
            ++size;
        if (size != character.size) {
            valid.append(text, copied, at - copied).append("\uFFFD");
            copied = at + size;
        }
        at += size;
    }
    if (copied != 0) text = valid.append(text, copied);
}

void cut_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments) {
    auto const groups = [](auto const& add) { return group[add]; };
    cut(key, depth, groups, *(x3::char_ - group), segments);
}

void cut_balanced_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments) {
    auto const groups = [](auto const& add) { return closed_group[add] | open_group[add]; };
    cut(key, depth, groups, *~x3::char_('['), segments);
}

} // namespace parser
