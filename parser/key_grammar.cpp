#include "parser/key_grammar.hpp"

#include <boost/spirit/home/x3.hpp>

namespace parser {

namespace {

namespace x3 = boost::spirit::x3;

auto const name = x3::raw[*~x3::char_("[]")];
auto const group = '[' >> name >> ']';
auto const no_group = *(x3::char_ - group);

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

} // namespace parser
