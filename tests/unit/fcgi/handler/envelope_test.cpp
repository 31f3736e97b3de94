#include "fcgi/handler/envelope.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(envelope)

namespace {

using db::AttributeType;
using Outcome = db::ReadPlan::Outcome;

db::Attribute attribute(std::string name, AttributeType type, bool many = false) {
    db::Attribute made;
    made.json_key = '"' + name + "\":";
    made.name = std::move(name);
    made.type = type;
    made.many = many;
    return made;
}

db::Attribute const title = attribute("title", AttributeType::string);

// Two articles with a title; `below`, if any, is what is populated of them, of entries with a title
// too: the first article has one, the second none.
struct Asked {
    explicit Asked(Outcome outcome, db::Attribute const* below = nullptr) {
        plan.outcome = outcome;
        plan.nodes.resize(below ? 2 : 1);
        for (auto& node : plan.nodes)
            node.columns = {&title};
        result.nodes.resize(plan.nodes.size());
        result.nodes[0] = {.rows = {{.id = 1, .entry = 0}, {.id = 2, .entry = 1}},
                           .cells = {"one", "two"},
                           .width = 1,
                           .entries = 2};
        if (!below) return;
        plan.nodes[0].branches = {{below, 1}};
        plan.nodes[1].source = db::RowSource::link;
        result.nodes[1] = {
            .rows = {{.id = 7, .parent = 1}}, .cells = {"seven"}, .width = 1, .entries = 1};
    }

    std::string json() const {
        std::string out;
        fcgi::append_envelope(out, plan, result);
        return out;
    }

    db::ReadPlan plan;
    db::ResultTree result;
};

} // namespace

BOOST_AUTO_TEST_CASE(each_form_of_response_has_its_shape) {
    std::string const entries = R"({"id":1,"attributes":{"title":"one"}},)"
                                R"({"id":2,"attributes":{"title":"two"}})";
    std::pair<Outcome, std::string> const table[] = {
        {Outcome::list, R"({"data":[)" + entries +
                            R"(],"meta":{"pagination":{"page":1,"pageSize":25,"pageCount":2,)"
                            R"("total":42}}})"},
        {Outcome::entry, R"({"data":{"id":1,"attributes":{"title":"one"}},"meta":{}})"},
        {Outcome::array, R"({"data":[)" + entries + R"(],"meta":{}})"},
        {Outcome::plain_list, R"([{"id":1,"title":"one"},{"id":2,"title":"two"}])"},
        {Outcome::plain_entry, R"({"id":1,"title":"one"})"},
        {Outcome::number, "42"},
    };
    for (auto const& [outcome, json] : table) {
        Asked asked(outcome);
        asked.result.total = 42;
        BOOST_TEST(asked.json() == json);
    }
}

BOOST_AUTO_TEST_CASE(pagination_is_answered_in_the_form_it_was_asked_in) {
    std::tuple<db::Page, std::optional<std::uint64_t>, std::string> const table[] = {
        {{.page = 2, .page_size = 10}, {}, R"({"page":2,"pageSize":10})"},
        {{.page = 2, .page_size = 10}, 0, R"({"page":2,"pageSize":10,"pageCount":0,"total":0})"},
        {{.page = 1, .page_size = 10}, 11, R"({"page":1,"pageSize":10,"pageCount":2,"total":11})"},
        {{.offset_form = true, .start = 5, .limit = 3}, 8, R"({"start":5,"limit":3,"total":8})"},
        {{.offset_form = true}, {}, R"({"start":0,"limit":-1})"},
    };
    for (auto const& [page, total, json] : table) {
        Asked asked(Outcome::list);
        asked.result.nodes[0].rows.clear();
        asked.plan.page = page;
        asked.result.total = total;
        BOOST_TEST(asked.json() == R"({"data":[],"meta":{"pagination":)" + json + "}}");
    }
}

// One article has one, the other has none.
BOOST_AUTO_TEST_CASE(what_is_populated_stands_as_the_cms_puts_it) {
    constexpr auto seven = R"({"id":7,"attributes":{"title":"seven"}})";
    constexpr auto flat = R"({"id":7,"title":"seven"})";
    auto const wrapped = [](std::string json) { return R"({"data":)" + json + "}"; };
    std::tuple<db::Attribute, std::string, std::string> const table[] = {
        {attribute("below", AttributeType::relation), wrapped(seven), wrapped("null")},
        {attribute("below", AttributeType::relation, true), wrapped('[' + std::string(seven) + ']'),
         wrapped("[]")},
        {attribute("below", AttributeType::media), wrapped(seven), wrapped("null")},
        {attribute("below", AttributeType::media, true), wrapped('[' + std::string(seven) + ']'),
         wrapped("null")},
        {attribute("below", AttributeType::component), flat, "null"},
        {attribute("below", AttributeType::component, true), '[' + std::string(flat) + ']', "[]"},
    };
    for (auto const& [below, one, none] : table) {
        Asked const asked(Outcome::array, &below);
        BOOST_TEST(asked.json() == R"({"data":[{"id":1,"attributes":{"title":"one","below":)" +
                                       one + R"(}},{"id":2,"attributes":{"title":"two","below":)" +
                                       none + R"(}}],"meta":{}})");
    }
}

BOOST_AUTO_TEST_CASE(below_a_plugins_entries_nothing_is_wrapped) {
    auto const role = attribute("role", AttributeType::relation);
    BOOST_TEST(Asked(Outcome::plain_list, &role).json() ==
               R"([{"id":1,"title":"one","role":{"id":7,"title":"seven"}},)"
               R"({"id":2,"title":"two","role":null}])");
}

BOOST_AUTO_TEST_CASE(a_count_stands_for_the_entries) {
    auto const tags = attribute("tags", AttributeType::relation, true);
    Asked asked(Outcome::entry, &tags);
    asked.plan.nodes[1].count = true;
    asked.result.nodes[1].rows = {{.id = 3, .parent = 1}};
    BOOST_TEST(asked.json() == R"({"data":{"id":1,"attributes":{"title":"one","tags":{"data":)"
                               R"({"attributes":{"count":3}}}}},"meta":{}})");
}

BOOST_AUTO_TEST_CASE(an_entry_without_a_row_is_missing_and_a_list_never) {
    for (Outcome const outcome : {Outcome::list, Outcome::entry, Outcome::array,
                                  Outcome::plain_list, Outcome::plain_entry, Outcome::number}) {
        Asked asked(outcome);
        BOOST_TEST(!fcgi::is_missing(asked.plan, asked.result));
        asked.result.nodes[0].rows.clear();
        bool const is_entry = outcome == Outcome::entry || outcome == Outcome::plain_entry;
        BOOST_TEST(fcgi::is_missing(asked.plan, asked.result) == is_entry);
    }
}

// So that few rows cannot make a response without end.
BOOST_AUTO_TEST_CASE(writing_stops_soon_after_the_limit) {
    Asked asked(Outcome::array);
    asked.result.nodes[0].rows.assign(100'000, {.id = 1, .entry = 0});
    std::string out;
    fcgi::append_envelope(out, asked.plan, asked.result, {.bytes = 1'000});
    BOOST_TEST(out.size() > 1'000U);
    BOOST_TEST(out.size() < 150'000U); // commas alone
}

BOOST_AUTO_TEST_SUITE_END()
