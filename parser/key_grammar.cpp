#include "parser/key_grammar.hpp"

#include <boost/spirit/home/x3.hpp>

#include <cstddef>

namespace parser {

namespace {

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
    auto const add = [&](Segment::Kind kind) {
        return [&segments, kind](auto const& context) {
            auto const& range = x3::_attr(context);
            if (kind == Segment::Kind::group || !range.empty())
                segments.push_back({kind, {range.begin(), range.end()}});
        };
    };
    auto const grammar =
        x3::raw[skipped][add(Segment::Kind::root)] >>
        x3::repeat(std::size_t{0}, depth)[groups(add(Segment::Kind::group)) >> skipped] >>
        x3::raw[*x3::char_][add(Segment::Kind::rest)];
    x3::parse(key.begin(), key.end(), grammar);
}

} // namespace

void cut_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments) {
    auto const groups = [](auto const& add) { return group[add]; };
    cut(key, depth, groups, *(x3::char_ - group), segments);
}

void cut_balanced_key(std::string_view key, std::size_t depth, std::vector<Segment>& segments) {
    auto const groups = [](auto const& add) { return closed_group[add] | open_group[add]; };
    cut(key, depth, groups, *~x3::char_('['), segments);
}

} // namespace parser
