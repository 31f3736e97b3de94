#include "fcgi/handler/forms.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(forms)

namespace {

using Outcome = db::ReadPlan::Outcome;

// The JSON of two files without columns of their own.
std::string json(fcgi::ResponseForm form, Outcome outcome) {
    db::ReadPlan plan;
    plan.json = &db::strapi5.json;
    plan.outcome = outcome;
    plan.nodes.resize(1);
    db::ResultTree result;
    result.nodes.resize(1);
    result.nodes[0] = {.rows = {{.id = 1, .entry = 0}, {.id = 2, .entry = 1}}, .entries = 2};
    result.total = 2;
    std::string out;
    fcgi::maker_of(form).append(out, plan, result, {}, {});
    return out;
}

} // namespace

// As recorded of Strapi 5.54, with ids alone.
BOOST_AUTO_TEST_CASE(each_file_ends_with_whether_its_url_is_signed) {
    using fcgi::ResponseForm;
    std::string const files = R"([{"id":1,"isUrlSigned":false},{"id":2,"isUrlSigned":false}])";
    BOOST_TEST(json(ResponseForm::files, Outcome::plain_list) == files);
    BOOST_TEST(json(ResponseForm::files, Outcome::plain_entry) ==
               R"({"id":1,"isUrlSigned":false})");
    BOOST_TEST(json(ResponseForm::files, Outcome::list) ==
               R"({"data":)" + files +
                   R"(,"meta":{"pagination":{"page":1,"pageSize":25,"pageCount":1,"total":2}}})");
    BOOST_TEST(json(ResponseForm::plain, Outcome::plain_list) == R"([{"id":1},{"id":2}])");
}

BOOST_AUTO_TEST_SUITE_END()

namespace {

namespace json = boost::json;

std::string const long_name = "components_marketing_component_with_a_very_long_table_names";

struct DeclaredTypesFixture {
    DeclaredTypesFixture() {
        project.type("post", R"("author": {"type": "relation", "relation": "oneToOne",
                                           "target": "plugin::users-permissions.user"},
                                "accent": {"type": "customField", "customField": "global::color"})");
        project.write("components/marketing/banner.json",
                      R"({"collectionName": ")" + long_name +
                          R"(", "attributes": {"title": {"type": "string"}}})");
    }

    // The `schema` of one.
    json::value declared(std::string const& path, db::Version version) const {
        auto const schema = project.load({{}, version});
        auto const route = fcgi::find_route("/api/content-type-builder/" + path, "/api", *schema);
        auto const representation = fcgi::declared_representation(route, *schema, "").value();
        return json::parse(representation.body.bytes()).at("data").at("schema");
    }

    TemporaryProject project;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(declared_types, DeclaredTypesFixture)

// As recorded of either version.
BOOST_AUTO_TEST_CASE(a_relation_says_in_strapi_5_whether_it_is_required) {
    auto const author = [&](db::Version version) {
        return declared("content-types/api::post.post", version).at("attributes").at("author");
    };
    auto expected = json::parse(R"({"type": "relation", "relation": "oneToOne", "private": false,
                                    "target": "plugin::users-permissions.user",
                                    "targetAttribute": null})");
    BOOST_TEST(author(db::Version::strapi4) == expected);
    expected.as_object()["required"] = false;
    BOOST_TEST(author(db::Version::strapi5) == expected);
}

BOOST_AUTO_TEST_CASE(a_custom_field_has_the_type_that_it_stands_for) {
    auto const type = declared("content-types/api::post.post", db::Version::strapi5);
    BOOST_TEST(type.at("attributes").at("accent") ==
               json::parse(R"({"type": "string", "customField": "global::color"})"));
}

BOOST_AUTO_TEST_CASE(a_collection_has_the_name_that_its_file_says_however_long) {
    auto const banner = declared("components/marketing.banner", db::Version::strapi5);
    BOOST_TEST(banner.at("collectionName").as_string() == long_name);
}

BOOST_AUTO_TEST_SUITE_END()
