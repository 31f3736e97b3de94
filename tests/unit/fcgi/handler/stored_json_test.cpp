#include "fcgi/handler/scalar_json.hpp"
#include "tests/unit/sample.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <random>
#include <string>
#include <utility>

BOOST_AUTO_TEST_SUITE(stored_json)

namespace {

std::string answered(std::string_view stored) {
    std::string out = "{\"attribute\":";
    std::size_t const begin = out.size();
    fcgi::append_stored_json(out, stored);
    std::string again;
    fcgi::append_stored_json(again, stored); // which may have been remembered
    BOOST_TEST(again == out.substr(begin));
    return again;
}

} // namespace

Sample const documents[] = {
    {"null", "null"},
    {"true", "true"},
    {" false ", "false"},
    {"{}", "{}"},
    {"[ ]", "[]"},
    {"[[],{},[{}]]", "[[],{},[{}]]"},
    {"\r\n\t { \"a\" :  [ 1 , 2 ] , \"b\" : { \"c\" : null } }  ", R"({"a":[1,2],"b":{"c":null}})"},
    {R"({"":"empty","a.b":"dot","$x":"dollar"})", R"({"":"empty","a.b":"dot","$x":"dollar"})"},
    {R"({"__proto__":{"x":1},"constructor":1})", R"({"__proto__":{"x":1},"constructor":1})"},
    {R"(["{","[",":",",","}"])", R"(["{","[",":",",","}"])"},
};
BOOST_DATA_TEST_CASE(a_document_is_printed_compactly, documents) {
    BOOST_TEST(answered(sample.text) == sample.expected);
}

Sample const numbers[] = {
    {"0", "0"},
    {"-0", "0"},
    {"-0.0", "0"},
    {"1.0", "1"},
    {"1E2", "100"},
    {"0.1e-6", "1e-7"},
    {"1e21", "1e+21"},
    {"12345678901234567890", "12345678901234567000"},
    {"-18446744073709551615", "-18446744073709552000"},
    {"999999999999999", "999999999999999"},
    {"9007199254740993", "9007199254740992"},
    {"0.30000000000000004", "0.30000000000000004"},
    {"2.2250738585072011e-308", "2.225073858507201e-308"},
    {"1e400", "null"},
    {"-1e400", "null"},
    {"1e-400", "0"},
    {"1" + repeat(400, "0"), "null"},
};
BOOST_DATA_TEST_CASE(numbers_are_doubles, numbers) {
    BOOST_TEST(answered(sample.text) == sample.expected);
    BOOST_TEST(answered("[" + sample.text + "," + sample.text + "]") ==
               "[" + sample.expected + "," + sample.expected + "]");
}

Sample const members[] = {
    {R"({"a":1,"a":2,"b":3})", R"({"a":2,"b":3})"},
    {R"({"a":1,"b":{"x":1,"x":[2,3]},"a":{"c":4}})", R"({"a":{"c":4},"b":{"x":[2,3]}})"},
    {R"({"a":1,"\u0061":2})", R"({"a":2})"},
    {R"({"b":1,"2":"x","1":"y","a":{"10":1,"9":2}})",
     R"({"1":"y","2":"x","b":1,"a":{"9":2,"10":1}})"},
    {R"({"z":1,"01":2,"-1":3,"1.5":4})", R"({"z":1,"01":2,"-1":3,"1.5":4})"},
    {R"({"4294967295":1,"4294967294":2})", R"({"4294967294":2,"4294967295":1})"},
    {R"({"b":1,"0":2,"b":3,"0":4})", R"({"0":4,"b":3})"},
    {R"([{"b":1,"0":2},{"b":1,"0":2}])", R"([{"0":2,"b":1},{"0":2,"b":1}])"},
};
BOOST_DATA_TEST_CASE(members_are_kept_as_javascript_keeps_them, members) {
    BOOST_TEST(answered(sample.text) == sample.expected);
}

BOOST_AUTO_TEST_CASE(objects_of_many_members_are_no_exception) {
    std::string stored = "{";
    std::string expected = "{";
    for (int i = 0; i < 1000; ++i) {
        stored += "\"n" + std::to_string(i) + "\":1,";
        expected += "\"n" + std::to_string(i) + "\":" + (i == 700 ? "2," : "1,");
    }
    expected.back() = '}';
    BOOST_TEST(answered(stored + R"("n700":2})") == expected);
    BOOST_TEST(answered(stored + R"("7":0,"n700":2})") == "{\"7\":0," + expected.substr(1));
}

// There are so many that looking through them for each would take hours.
BOOST_AUTO_TEST_CASE(hundreds_of_thousands_of_indices_are_sorted) {
    constexpr int count = 400'000;
    std::string stored = "{";
    std::string expected = "{";
    for (int i = 0; i < count; ++i) {
        stored += "\"" + std::to_string(count - 1 - i) + "\":1,";
        expected += "\"" + std::to_string(i) + (i == 7 ? "\":2," : "\":1,");
    }
    BOOST_TEST((answered(stored + R"("x":3,"7":2})") == expected + R"("x":3})"));
}

Sample const strings[] = {
    {R"(["\u00e9\ud83d\ude00 \u0001 \/ \u2028"])", "[\"é😀 \\u0001 / \u2028\"]"},
    {R"(["\"\\\b\f\n\r\t\u001F\u007f"])", "[\"\\\"\\\\\\b\\f\\n\\r\\t\\u001f\x7F\"]"},
    {R"({"\u0022\n":"\u0022"})", R"({"\"\n":"\""})"},
    {R"(["\u0000"])", R"(["\u0000"])"},
    // Longer than what Boost.JSON hands over at once.
    {"[\"" + repeat(3000, "é") + R"(\n)" + repeat(9000, "x") + R"(\u00e9)" + repeat(5000, "y") +
         "\"]",
     "[\"" + repeat(3000, "é") + R"(\n)" + repeat(9000, "x") + "é" + repeat(5000, "y") + "\"]"},
};
BOOST_DATA_TEST_CASE(strings_are_escaped_only_where_they_must_be, strings) {
    BOOST_TEST(answered(sample.text) == sample.expected);
}

Sample const halves[] = {
    {R"(["\ud83d"])", R"(["\ud83d"])"},
    {R"(["\uDE00x"])", R"(["\ude00x"])"},
    {R"(["\ude00\ud83d"])", R"(["\ude00\ud83d"])"},
    {R"(["\ud83d\ud83d\ude00"])", "[\"\\ud83d😀\"]"},
    {R"(["\ud83d\n","\\ud83d"])", R"(["\ud83d\n","\\ud83d"])"},
    {R"({"\ud800":1,"\ud800":2,"\ud83d\ude00":3,"😀":4})", "{\"\\ud800\":2,\"😀\":4}"},
    {R"(["\ud800"] x)", R"("[\"\\ud800\"] x")"},
};
BOOST_DATA_TEST_CASE(half_a_surrogate_pair_stays_an_escape, halves) {
    BOOST_TEST(answered(sample.text) == sample.expected);
}

// mysql2 parses the column, then Strapi 4.26 parses the string that came of it.
Sample const held_documents[] = {
    {R"("text")", R"("text")"},
    {R"("")", R"("")"},
    {R"("123")", "123"},
    {R"("null")", "null"},
    {R"("{\"in\":1}")", R"({"in":1})"},
    {R"("\"123\"")", R"("123")"}, // once only
    {R"("[1")", R"("[1")"},
    {R"("\"\\ud83d\"")", R"("\ud83d")"},
    {R"("\ud83d")", R"("\ud83d")"},
    {R"("[\")" + repeat(9000, "x") + R"(\ud83d\"]")", R"([")" + repeat(9000, "x") + R"(\ud83d"])"},
    {R"(["123"])", R"(["123"])"},
};
BOOST_DATA_TEST_CASE(a_string_that_holds_json_comes_out_as_that_json, held_documents) {
    BOOST_TEST(answered(sample.text) == sample.expected);
}

Sample const texts[] = {
    {"", R"("")"},
    {"text", R"("text")"},
    {"{\"a\":", R"("{\"a\":")"},
    {"[1,]", R"("[1,]")"},
    {"{'a':1}", R"("{'a':1}")"},
    {"[1] 2", R"("[1] 2")"},
    {"01", R"("01")"},
    {".5", R"(".5")"},
    {"NaN", R"("NaN")"},
    {"\"a\nb\"", R"("\"a\nb\"")"},
    {R"("\x")", R"("\"\\x\"")"},
    {R"("\u12")", R"("\"\\u12\"")"},
    {"\"\\", R"("\"\\")"},
    {"\uFEFF1", "\"\uFEFF1\""},
};
BOOST_DATA_TEST_CASE(text_that_is_no_json_is_a_string, texts) {
    BOOST_TEST(answered(sample.text) == sample.expected);
}

BOOST_AUTO_TEST_CASE(nesting_has_a_bound) {
    std::string const deepest = repeat(256, "[") + repeat(256, "]");
    BOOST_TEST(answered(deepest) == deepest);
    std::string const deeper = "[" + deepest + "]";
    BOOST_TEST(answered(deeper) == "\"" + deeper + "\"");
    std::string const hostile = repeat(100'000, "[");
    BOOST_TEST(answered(hostile) == "\"" + hostile + "\"");
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(canonical_json)

// A text is canonical if JSON.stringify would write it so.
BOOST_AUTO_TEST_CASE(is_what_stringify_writes) {
    std::pair<std::string_view, bool> const table[] = {
        {R"({})", true},
        {R"([])", true},
        {R"({"a":1,"b":[true,false,null,"x"],"c":{"a":-2.5}})", true},
        {R"({"url":"https://a.example/b","size":12.34,"é":"日本 \n\t\"\\"})", true},
        {R"([0,-1,123456789012345,0.5,-0.25,1.5,10.001])", true},
        {R"({"":1,"-1":2,"a1":3})", true},
        {R"(["\u0000\u0007\u000b\u000e\u001f"])", true},
        {"", false},
        {"1", false}, // a text in a JSON column is looked at again
        {R"("a")", false},
        {R"({"a": 1})", false},
        {R"({"a":1} )", false},
        {R"([1,])", false},
        {R"([,1])", false},
        {R"([1 2])", false},
        {R"([1}])", false},
        {R"({"a"})", false},
        {R"({"a":})", false},
        {R"({,"a":1})", false},
        {R"({"a":1)", false},
        {R"({"a":1}})", false},
        {R"({"a":1,"a":2})", false},
        {R"({"b":1,"0":2})", false}, // indices come first
        {R"([-0])", false},
        {R"([01])", false},
        {R"([1.0])", false},
        {R"([1.50])", false},
        {R"([1e3])", false},
        {R"([.5])", false},
        {R"([1.])", false},
        {R"([-])", false},
        {R"([0.0000001])", false},
        {R"([1234567890123456])", false},
        {R"([True])", false},
        {R"([nul])", false},
        {R"(["\u0041"])", false},
        {R"(["\u0020"])", false},
        {R"(["\u0008"])", false},
        {R"(["\u000a"])", false},
        {R"(["\u001F"])", false},
        {R"(["\u00)", false},
        {R"(["\u001)", false},
        {R"(["\u0)", false},
        {R"(["\/"])", false},
        {R"(["\x"])", false},
        {"[\"\n\"]", false},
        {R"(["a)", false},
        {R"(["\)", false},
    };
    for (auto const& [json, is_canonical] : table)
        BOOST_TEST(fcgi::is_canonical_json(json) == is_canonical, json);
    BOOST_TEST(!fcgi::is_canonical_json(std::string(1'000'000, '[')));
}

// Put together at random from what JSON is made of, so that much of it is canonical and all of it
// is near. A space in front makes the printer look at every byte.
BOOST_AUTO_TEST_CASE(is_left_as_it_is_by_the_printer) {
    constexpr std::string_view pieces[] = {
        "{",    "}",      "[",      "]",    ",",   ":",     "\"a\"",       "\"b\"",
        "1",    "1.5",    "\"0\"",  "null", "0",   "-",     "\"\\n\"",     "e",
        "\"\"", "\"a\":", "\"b\":", " ",    "100", "0.001", "\"\\u001e\"", "\"\\u000c\""};
    std::mt19937 random(1);
    std::size_t canonical = 0;
    for (int i = 0; i < 300'000; ++i) {
        std::string json(i % 2 ? "{" : "[");
        for (auto left = random() % 7; left > 0; --left)
            json += pieces[random() % std::size(pieces)];
        json += i % 2 ? "}" : "]";
        if (!fcgi::is_canonical_json(json)) continue;
        ++canonical;
        std::string printed;
        fcgi::append_stored_json(printed, " " + json);
        BOOST_TEST_REQUIRE(printed == json);
    }
    BOOST_TEST(canonical > 1'000U);
}

BOOST_AUTO_TEST_SUITE_END()
