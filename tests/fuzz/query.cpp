#include "db/schema/cms.hpp"
#include "parser/base/javascript.hpp"
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

// The part, once its error is looked at.
template<class T>
T const& checked(Checked<T> const& part) {
    if (auto const* error = part.error()) {
        expect(error->kind == ErrorKind::invalid || error->kind == ErrorKind::invalid_pagination,
               "what has no meaning is the client's mistake", error->message);
        expect(!error->message.empty() && error->cause.empty(), "it is said to the client");
        expect_utf8(error->message);
    }
    return part.unchecked();
}

void visit(Filter const& filter) {
    expect_utf8(filter.key);
    bool const compares = filter.kind == FilterKind::comparison;
    auto const& values = checked(filter.values);
    expect(compares || values.empty(), "only comparisons have values", filter.key);
    for (Value const& value : values)
        if (value) expect_utf8(*value);
    for (Filter const& member : checked(filter.members))
        visit(member);
}

void visit(Selection const& selection);

void visit(Populate const& populate) {
    expect_utf8(populate.name);
    auto const& options = checked(populate.options);
    visit(options.selection);
    if (!options.on) return;
    for (Populate const& fragment : *options.on)
        visit(fragment);
}

void visit(PopulateSet const& set) {
    for (std::string const& path : set.paths)
        expect_utf8(path);
    std::set<std::string_view> names;
    for (Populate const& populate : set.members) {
        expect(names.insert(populate.name).second, "each name is populated once", populate.name);
        visit(populate);
    }
}

void visit(Selection const& selection) {
    for (std::string const& name : checked(selection.fields).names)
        expect_utf8(name);
    visit(selection.filters);
    for (auto const& key : checked(selection.sort))
        expect(!checked(key).path.empty() || key.error(), "a sort key has a path");
    visit(checked(selection.populate));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size) {
    auto const tree = parse_query_string({reinterpret_cast<char const*>(data), size});
    auto const query = read_query(tree, db::strapi4.reading);
    visit(query.selection);
    checked(query.pagination);
    checked(query.root_pagination);
    checked(query.publication_state);
    if (query.locale) visit(*query.locale);
    expect_utf8(checked(query.search));
    auto const dumped = dump(query);
    expect_utf8(dumped);
    expect(dump(read_query(tree, db::strapi4.reading)) == dumped, "reading is repeatable");
    expect(query.cut == tree.cut, "a cut is known");
    return 0;
}
