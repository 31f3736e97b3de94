#include "parser/query_tree.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(default_parameters)

BOOST_AUTO_TEST_CASE(what_is_absent_is_added_and_what_is_always_so_replaced) {
    parser::Object const seo(
        {{"populate", parser::Tree(parser::Object({{"seo", parser::Tree(std::string("true"))}}))}});
    struct {
        parser::DefaultParameters parameters;
        char const* query;
        char const* expected;
    } const cases[] = {
        {{seo, {}}, "", R"({"populate":{"seo":"true"}})"},
        {{seo, {}}, "sort=id", R"({"sort":"id","populate":{"seo":"true"}})"},
        {{seo, {}}, "populate=author", R"({"populate":"author"})"},
        {{seo, {}}, "populate=", R"({"populate":""})"},
        {{seo, {}}, "populate", R"({"populate":null})"},
        {{{}, seo}, "", R"({"populate":{"seo":"true"}})"},
        {{{}, seo}, "populate=author&sort=id", R"({"populate":{"seo":"true"},"sort":"id"})"},
        {{{}, seo}, "populate[author]=true&populate[seo]=false", R"({"populate":{"seo":"true"}})"},
    };
    for (auto const& [parameters, query, expected] : cases) {
        auto tree = parser::parse_query_string(query);
        apply(parameters, tree.root);
        BOOST_TEST(dump(tree) == expected);
    }
}

BOOST_AUTO_TEST_SUITE_END()
