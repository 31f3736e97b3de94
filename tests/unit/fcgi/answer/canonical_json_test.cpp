#include "fcgi/answer/canonical_json.hpp"
#include "fcgi/answer/stored_json.hpp"

#include <boost/test/unit_test.hpp>

#include <random>
#include <string>

BOOST_AUTO_TEST_SUITE(canonical_json)

// A text is canonical if JSON.stringify would write it so.
BOOST_AUTO_TEST_CASE(is_what_stringify_writes) {
    struct {
        std::string_view json;
        bool is_canonical;
    } const table[] = {
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
