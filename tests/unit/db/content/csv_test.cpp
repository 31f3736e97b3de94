#include "db/content/folder.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(csv)

namespace {

// With `|` between the cells; absent: they can't be told apart.
std::string cells_of(std::string_view text) {
    auto const cells = db::parse_csv_row(text);
    if (!cells) return "absent";
    std::string all;
    for (std::size_t i = 0; i < cells->size(); ++i)
        all += (i > 0 ? "|" : "") + (*cells)[i];
    return all;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_row_has_its_cells) {
    struct Case {
        char const* text;
        char const* cells;
    };
    Case const cases[] = {
        {"a,b", "a|b"},
        {"a", "a"},
        {",", "|"},
        {"a,b\r", "a|b"},
        {" a , b ", " a | b "},
        {R"("a,b",c)", "a,b|c"},
        {R"("say ""hi""",x)", R"(say "hi"|x)"},
        {R"("""")", R"(")"},
        {R"("",x)", "|x"},
        {"\"two\nlines\",x", "two\nlines|x"},
        {"é;ü,x", "é;ü|x"},
        {R"(a"b,c)", "absent"},
        {R"("a"b,c)", "absent"},
        {R"("a,b)", "absent"},
    };
    for (auto const& [text, cells] : cases)
        BOOST_TEST(cells_of(text) == cells, text);
    BOOST_TEST(db::is_open_csv("1,\"two"));
    BOOST_TEST(!db::is_open_csv("1,\"two\"\"\""));
}

BOOST_AUTO_TEST_CASE(a_cell_means_what_its_attribute_is) {
    TemporaryProject project;
    project.type("post", R"("text": {"type": "string"}, "number": {"type": "integer"},
        "is": {"type": "boolean"}, "day": {"type": "date"}, "json": {"type": "json"},
        "other": {"type": "relation", "relation": "manyToMany", "target": "api::post.post"})");
    auto const schema = db::load_schema(project.folder());
    BOOST_TEST_REQUIRE(schema.has_value(), schema.error().message);
    auto const& type = *(*schema)->find("api::post.post");
    struct Case {
        char const* name;
        char const* cell;
        char const* value; // JSON
    };
    Case const cases[] = {
        {"id", "7", "7"},
        {"text", "7", R"("7")"},
        {"text", "null", R"("null")"},
        {"text", "", "null"},
        {"text", "say \"é\"", R"("say \"é\"")"},
        {"number", "1.0", "1E0"},
        {"number", "one", R"("one")"},
        {"is", "true", "true"},
        {"is", "TRUE", R"("TRUE")"},
        {"day", "2024-05-17", R"("2024-05-17")"},
        {"json", R"({"a":[1]})", R"({"a":[1]})"},
        {"json", "plain", R"("plain")"},
        {"other", "[1,2]", "[1,2]"},
    };
    for (auto const& [name, cell, value] : cases)
        BOOST_TEST(boost::json::serialize(*db::csv_value(type, name, cell)) == value,
                   name << " " << cell);
    BOOST_TEST(db::csv_value(type, "text", "latin \xE9").error().message == "text: expected UTF-8");
}

BOOST_AUTO_TEST_SUITE_END()
