#include "parser/base/json_string.hpp"
#include "parser/query_reader.hpp"
#include "parser/query_tree.hpp"
#include "tests/fuzz/expect.hpp"

#include <cstdint>
#include <set>

// A query string as typed parameters.

using fuzz::expect;
using namespace parser;

namespace {

void expect_utf8(std::string_view text) {
    std::string json;
    append_json_string(json, text);
    static_cast<void>(fuzz::json_of(json));
}

void visit(std::optional<Error> const& invalid) {
    if (!invalid) return;
    expect(invalid->kind == ErrorKind::invalid || invalid->kind == ErrorKind::invalid_pagination,
           "what has no meaning is the client's mistake", invalid->message);
    expect(!invalid->message.empty() && invalid->cause.empty(), "it is said to the client");
    expect_utf8(invalid->message);
}

void visit(Filter const& filter) {
    using Kind = Filter::Kind;
    visit(filter.invalid);
    expect_utf8(filter.key);
    bool const compares = filter.kind == Kind::comparison;
    expect(compares || filter.values.empty(), "only comparisons have values", filter.key);
    for (Value const& value : filter.values)
        if (value) expect_utf8(*value);
    for (Filter const& member : filter.members)
        visit(member);
}

void visit(Selection const& selection);

void visit(Populate const& populate) {
    visit(populate.invalid);
    expect_utf8(populate.name);
    visit(populate.selection);
    if (!populate.on) return;
    for (Populate const& fragment : *populate.on)
        visit(fragment);
}

void visit(PopulateSet const& set) {
    visit(set.invalid);
    std::set<std::string_view> names;
    for (Populate const& populate : set.members) {
        expect(names.insert(populate.name).second, "each name is populated once", populate.name);
        visit(populate);
    }
}

void visit(Selection const& selection) {
    visit(selection.fields.invalid);
    for (std::string const& name : selection.fields.names)
        expect_utf8(name);
    visit(selection.filters);
    visit(selection.sort_invalid);
    for (SortKey const& key : selection.sort) {
        visit(key.invalid);
        expect(key.invalid || !key.path.empty(), "a sort key has a path");
    }
    visit(selection.populate);
}

void visit(Pagination const& pagination) {
    visit(pagination.invalid);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const tree = parse_query_string({reinterpret_cast<char const*>(data), size});
    auto const query = read_query(tree);
    visit(query.selection);
    visit(query.pagination);
    visit(query.root_pagination);
    visit(query.publication_state_invalid);
    visit(query.search_invalid);
    if (query.locale) visit(*query.locale);
    expect_utf8(query.search);
    auto const dumped = dump(query);
    expect_utf8(dumped);
    expect(dump(read_query(tree)) == dumped, "reading is repeatable");
    expect(query.cut == tree.cut, "a cut is known");
    return 0;
}
