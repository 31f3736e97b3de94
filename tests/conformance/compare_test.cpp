#define BOOST_TEST_MODULE conformance
#include <boost/test/unit_test.hpp>

#include "fcgi/commands/comparison.hpp"
#include "tests/conformance/differences.hpp"

// The comparison itself: it must see what differs, and nothing else.

using namespace conformance;
using comparison::parse_json;

namespace {

Record record(std::string body, std::string group = "basic") {
    Record made;
    made.group = std::move(group);
    made.status = 200;
    made.bodies.push_back(std::move(body));
    return made;
}

// The cause of the first difference; empty if there is none.
std::string cause(Record const& expected, std::string body) {
    auto const found = compare(expected, {200, "", "", std::move(body)});
    return found ? std::string(found->cause) + " " + found->where : "";
}

struct Case {
    char const* expected;
    char const* got;
    char const* cause;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_difference_is_named_with_its_place) {
    for (auto const& [expected, got, found] : {
             Case{R"({"a":1,"b":[2]})", R"({"b":[2],"a":1})", ""},
             Case{R"({"a":1})", R"({"a":1.0})", ""},
             Case{R"({"a":"é"})", R"({"a":"\u00e9"})", ""},
             Case{R"({"a":1})", R"({"a":2})", "value /a"},
             Case{R"({"a":1})", R"({"a":"1"})", "value /a"},
             Case{R"({"a":null})", R"({})", "missing key /a"},
             Case{R"({})", R"({"a":null})", "extra key /a"},
             Case{R"({"a":1})", R"({"a":1,"a":1})", "repeated key "},
             Case{R"({"a":[1,2]})", R"({"a":[1]})", "length /a"},
             Case{R"({"a":[1,2]})", R"({"a":[2,1]})", "value /a/0"},
             Case{R"({"data":[{"id":1},{"id":2}]})", R"({"data":[{"id":2},{"id":1}]})",
                  "order /data/0/id"},
             Case{R"({"a":1})", R"({"a":1)", "value "},
             Case{"Not Found", "Not Found", ""},
             Case{"Not Found", "Not found", "value "},
         }) {
        BOOST_TEST(cause(record(expected), got) == found, expected << " against " << got);
    }
}

BOOST_AUTO_TEST_CASE(scalars_are_compared_as_written) {
    BOOST_TEST(cause(record(R"({"a":1,"b":"é"})", "scalars"), R"({"b":"é","a":1})") == "");
    BOOST_TEST(cause(record(R"({"a":1})", "scalars"), R"({"a":1.0})") == "value /a");
    BOOST_TEST(cause(record(R"({"a":"é"})", "scalars"), R"({"a":"\u00e9"})") == "value /a");
}

BOOST_AUTO_TEST_CASE(numbers_of_older_drivers_are_compared_by_14_digits) {
    auto const older = [](std::string body) { return record(std::move(body), "releases"); };
    BOOST_TEST(cause(older(R"({"a":1.8571428571428568})"), R"({"a":1.8571428571428572})") == "");
    BOOST_TEST(cause(older(R"({"a":1.8571428571428})"), R"({"a":1.8571428571429})") == "value /a");
    BOOST_TEST(cause(older(R"({"a":1})"), R"({"a":"1"})") == "value /a");
}

BOOST_AUTO_TEST_CASE(status_content_type_and_allow_count) {
    auto expected = record("");
    expected.content_type = "text/plain; charset=utf-8";
    expected.allow = "HEAD, GET";
    auto const found = [&](Response const& response) {
        auto const difference = compare(expected, response);
        return difference ? difference->cause : "";
    };
    BOOST_TEST(found({200, "text/plain; charset=utf-8", "GET, HEAD", ""}) == "");
    BOOST_TEST(found({404, "text/plain; charset=utf-8", "GET, HEAD", ""}) == "status");
    BOOST_TEST(found({200, "text/plain", "GET, HEAD", ""}) == "content type");
    BOOST_TEST(found({200, "text/plain; charset=utf-8", "GET", ""}) == "allow");
    expected.has_headers = false; // recorded, that is
    BOOST_TEST(found({200, "text/plain", "GET", ""}) == "");
}

BOOST_AUTO_TEST_CASE(entries_are_a_set_where_the_order_is_open) {
    auto open = record(R"({"data":[{"id":1},{"id":2}]})");
    open.any_order = true;
    BOOST_TEST(cause(open, R"({"data":[{"id":2},{"id":1}]})") == "");
    BOOST_TEST(cause(open, R"({"data":[{"id":2},{"id":2}]})") != "");
    BOOST_TEST(cause(open, R"({"data":[{"id":2}]})") == "length /data");
}

BOOST_AUTO_TEST_CASE(a_page_that_is_open_keeps_its_size_and_meta) {
    auto open = record(R"({"data":[{"id":1}],"meta":{"total":2}})");
    open.any_order = open.is_cut = true;
    BOOST_TEST(cause(open, R"({"data":[{"id":2}],"meta":{"total":2}})") == "");
    BOOST_TEST(cause(open, R"({"data":[],"meta":{"total":2}})") == "length /data");
    BOOST_TEST(cause(open, R"({"data":[{"id":2}],"meta":{"total":3}})") == "value /meta/total");
}

BOOST_AUTO_TEST_CASE(any_of_several_right_bodies_will_do) {
    auto either = record(R"({"a":1})");
    either.bodies.push_back(R"({"a":"1"})");
    BOOST_TEST(cause(either, R"({"a":"1"})") == "");
    BOOST_TEST(cause(either, R"({"a":2})") == "value /a");
}

BOOST_AUTO_TEST_CASE(text_that_is_not_json_is_refused) {
    for (auto const* text : {"", "{", "[1,]", "{\"a\"}", "\"a", "01", "1 2", "nul", "{a:1}", "+1"})
        BOOST_TEST(!parse_json(text), text);
    for (auto const* text : {"0", " [1, 2] ", "-1.5e+3", "\"\\\"\\ud800\"", "{}", "[]", "null"})
        BOOST_TEST(parse_json(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(the_first_slice_is_told_by_the_names_of_parameters) {
    auto const selected = [](std::string path) {
        auto made = record("");
        made.method = "GET";
        made.auth = "public";
        made.path = std::move(path);
        return in_first_slice(made);
    };
    for (auto const* path : {
             "/api/articles/1",
             "/api/articles?fields[0]=title&pagination[page]=2",
             "/api/articles?populate=*",
             "/api/articles?populate%5Btags%5D%5Bfields%5D=name",
             "/api/articles?populate[tags][sort]=name&populate[tags][filters][name][$eq]=a",
             "/api/pages?populate[zone][on][blocks.hero][populate]=image",
             "/api/articles?populate[count]=true",
         })
        BOOST_TEST(selected(path), path);
    for (auto const* path : {
             "/api/articles?sort=title",
             "/api/articles?filters[id]=1",
             "/api/articles?locale=all",
             "/api/articles?populate[tags][count]=true",
             "/api/articles?populate[tags][limit]=1",
             "/api/articles?populate[tags][populate][articles][start]=1",
             "/api/articles?populate[tags][filters][name][$contains]=a",
         })
        BOOST_TEST(!selected(path), path);
}

BOOST_AUTO_TEST_CASE(a_listed_difference_must_be_one_and_turn_out_as_listed) {
    KnownDifferences const known{{"a", {"D1", "a bad value", 400}}};
    Mismatch const difference{"status", "", "500", "400"};
    auto const verdict = [&](std::optional<Mismatch> const& found, int status, char const* id) {
        return judge(found, {status, "", "", ""}, known, id).verdict;
    };
    BOOST_TEST((verdict({}, 200, "b") == Verdict::equal));
    BOOST_TEST((verdict(difference, 200, "b") == Verdict::different));
    BOOST_TEST((verdict(difference, 400, "a") == Verdict::listed));
    BOOST_TEST((verdict(difference, 200, "a") == Verdict::different));
    BOOST_TEST((verdict({}, 500, "a") == Verdict::different));
}

BOOST_AUTO_TEST_CASE(only_an_order_that_was_ours_before_is_open_in_a_live_response) {
    auto const one_two = R"({"data":[{"id":1},{"id":2}]})";
    auto const two_one = R"({"data":[{"id":2},{"id":1}]})";
    auto const one_three = R"({"data":[{"id":1},{"id":3}]})";
    struct {
        char const* id;
        char const* recorded;
        char const* live;
        char const* got;
        Verdict expected;
    } const cases[] = {
        {"new", one_two, one_two, one_two, Verdict::equal},
        {"new", two_one, one_two, one_two, Verdict::equal},
        {"new", one_two, two_one, one_two, Verdict::listed},
        {"new", two_one, two_one, one_two, Verdict::different},
        {"new", one_two, one_three, one_two, Verdict::different},
        {"sort", two_one, one_two, one_two, Verdict::listed},
        {"sort", two_one, two_one, one_two, Verdict::listed},
        {"value", one_three, one_two, one_two, Verdict::different},
        {"value", one_three, one_three, one_two, Verdict::listed},
    };
    KnownDifferences const known{{"sort", {"D4", "no tie-breaker", 200}},
                                 {"value", {"D2", "hidden", 200}}};
    for (auto const& [id, recorded, live, got, expected] : cases) {
        auto then = record(recorded);
        auto now = record(live);
        then.id = now.id = id;
        auto const found = judge_live(then, now, {200, "", "", got}, known);
        BOOST_TEST((found.verdict == expected), id << ' ' << live << ": " << found.why);
    }
}
