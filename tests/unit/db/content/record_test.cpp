#include "db/content/record.hpp"

#include "db/content/json_text.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(record)

namespace {

struct Fixture {
    db::Record read(char const* uid, std::string_view line) {
        boost::json::error_code error;
        auto const value = db::parse_line(line, error);
        return db::read_record(*schema, *schema->find(uid), value.as_object(), problems);
    }
    std::shared_ptr<db::Schema const> schema = example_schema();
    std::vector<std::string> problems;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(what_a_line_leaves_out_is_told_from_what_it_empties, Fixture) {
    auto const record =
        read("api::article.article", R"({"id": 7, "title": null, "tags": [], "sections": []})");
    auto const index = [&](char const* name) {
        return static_cast<std::size_t>(record.type->find(name) - record.type->attributes.data());
    };
    BOOST_TEST(problems.empty());
    BOOST_TEST(record.id == 7U);
    BOOST_TEST(record.values[index("title")].str() == "NULL");
    BOOST_TEST(record.values[index("slug")].empty());
    BOOST_TEST(record.links.size() == 1U);
    BOOST_TEST(record.links[0].attribute == index("tags"));
    BOOST_TEST(record.links[0].targets.empty());
    BOOST_TEST(record.parts.size() == 1U);
    BOOST_TEST(record.parts[0].records.empty());
}

BOOST_FIXTURE_TEST_CASE(components_are_records_of_their_types, Fixture) {
    auto const record = read("api::page.page", R"({"id": 1, "zone": [
        {"__component": "blocks.quote", "id": 4, "text": "q", "author": 3},
        {"__component": "blocks.rich-text"}, {"__component": "shop.price"}]})");
    BOOST_TEST(record.parts.at(0).records.size() == 2U);
    auto const& quote = record.parts[0].records[0];
    BOOST_TEST(quote.type->uid == "blocks.quote");
    BOOST_TEST(quote.id == 4U);
    BOOST_TEST(quote.links.at(0).targets.at(0).id == 3U);
    BOOST_TEST(record.parts[0].records[1].id == 0U);
    BOOST_TEST(problems.size() == 1U);
    BOOST_TEST(problems[0].starts_with("zone[2].__component: expected"));
}

BOOST_AUTO_TEST_SUITE_END()
