#include "parser/key_grammar.hpp"

#include <boost/spirit/home/x3.hpp>

#include <algorithm>

namespace parser {

namespace {

namespace x3 = boost::spirit::x3;

auto const name = x3::raw[*~x3::char_("[]")];
auto const group = '[' >> name >> ']';
auto const no_group = *(x3::char_ - group);

// Of the bracket at `open`, with those between them in pairs.
std::size_t closing_bracket(std::string_view key, std::size_t open) {
    std::size_t level = 0;
    for (std::size_t at = open; at < key.size(); ++at) {
        if (key[at] == '[') ++level;
        if (key[at] == ']' && --level == 0) return at;
    }
    return key.npos;
}

} // namespace

void cut_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments) {
    segments.clear();
    auto const add = [&](Segment::Kind kind) {
        return [&segments, kind](auto const& context) {
            auto const& range = x3::_attr(context);
            if (kind == Segment::Kind::group || !range.empty())
                segments.push_back({kind, {range.begin(), range.end()}});
        };
    };
    auto const grammar =
        x3::raw[no_group][add(Segment::Kind::root)] >>
        x3::repeat(std::size_t{0}, depth)[group[add(Segment::Kind::group)] >> no_group] >>
        x3::raw[*x3::char_][add(Segment::Kind::rest)];
    x3::parse(key.begin(), key.end(), grammar);
}

void cut_balanced_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments) {
    segments.clear();
    std::size_t open = std::min(key.find('['), key.size());
    if (open > 0) segments.push_back({Segment::Kind::root, key.substr(0, open)});
    for (std::size_t groups = 0; open < key.size(); ++groups) {
        std::size_t const close = closing_bracket(key, open);
        std::string_view const remainder = key.substr(open);
        if (groups == depth) return segments.push_back({Segment::Kind::rest, remainder});
        if (close == key.npos) return segments.push_back({Segment::Kind::group, remainder});
        segments.push_back({Segment::Kind::group, key.substr(open + 1, close - open - 1)});
        open = std::min(key.find('[', close), key.size());
    }
}

} // namespace parser
