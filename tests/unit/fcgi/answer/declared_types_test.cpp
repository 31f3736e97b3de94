#include "fcgi/answer/declared_types.hpp"

#include "tests/unit/db/schema/temporary_project.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

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
        auto const schema = db::load_schema(project.folder(), {{}, version}).value();
        auto const route = fcgi::find_route("/api/content-type-builder/" + path, "/api", *schema);
        auto const answer = fcgi::declared_answer(route, *schema, "").value();
        return json::parse(answer.body.bytes()).at("data").at("schema");
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
