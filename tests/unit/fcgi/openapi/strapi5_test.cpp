#include "fcgi/openapi/openapi.hpp"

#include <boost/json.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>

// The document differs in this where the project is Strapi 5's.

BOOST_AUTO_TEST_SUITE(openapi_of_strapi5)

namespace {

namespace json = boost::json;

json::value document(db::ReadPlan::Format format, std::optional<db::Release> release = {}) {
    auto const schema =
        db::load_schema(PROJECTS "/ks5", {{}, db::Version::strapi5, release}).value();
    fcgi::Options options;
    options.api.document_format = format;
    return json::parse(fcgi::openapi_document(*schema, options));
}

json::value const& flat() {
    static json::value const made = document(db::ReadPlan::Format::flat);
    return made;
}

json::value const& strapi4_form() {
    static json::value const made = document(db::ReadPlan::Format::documents);
    return made;
}

json::object const& schema(json::value const& of, std::string_view name) {
    return of.at("components").at("schemas").at(name).as_object();
}

// Names of an operation's parameters with spaces between.
std::string parameters(std::string_view path) {
    std::string names;
    json::value const& operation = flat().at("paths").at(path).at("get");
    for (json::value const& parameter : operation.at("parameters").as_array()) {
        json::value const* named = &parameter;
        if (auto const* shared = parameter.as_object().if_contains("$ref"))
            named = &flat().at_pointer(std::string_view(shared->as_string()).substr(1));
        if (!names.empty()) names += ' ';
        names += std::string_view(named->at("name").as_string());
    }
    return names;
}

struct Asked {
    char const* path;
    char const* parameters;
};

std::ostream& operator<<(std::ostream& out, Asked const& asked) {
    return out << asked.path;
}

struct Answered {
    char const* type;
    char const* attribute;
    char const* schema;
};

std::ostream& operator<<(std::ostream& out, Answered const& answered) {
    return out << answered.type << ' ' << answered.attribute;
}

} // namespace

Asked const asked[] = {
    {"/api/articles", "fields populate filters sort pagination status publicationFilter "
                      "hasPublishedVersion locale _q"},
    {"/api/articles/{documentId}", "documentId fields populate filters status publicationFilter "
                                   "hasPublishedVersion locale _q"},
    {"/api/homepage",
     "fields populate filters status publicationFilter hasPublishedVersion locale _q"},
    {"/api/users/{id}", "id fields populate"},
    {"/api/upload/files/page", "fields populate filters sort pagination _q"},
};

BOOST_AUTO_TEST_CASE(what_a_release_does_not_know_is_not_in_its_document) {
    for (char const* name : {"publicationFilter", "hasPublishedVersion", "PublicationFilter"})
        for (auto const& [minor, is_known] :
             {std::pair<std::uint16_t, bool>{46, false}, {47, true}}) {
            auto const text =
                json::serialize(document(db::ReadPlan::Format::flat, db::Release{5, minor, 0}));
            BOOST_TEST((text.find(name) != text.npos) == is_known, name);
        }
}

BOOST_DATA_TEST_CASE(routes_take_what_an_entry_obeys, asked) {
    BOOST_TEST(parameters(sample.path) == sample.parameters);
}

Answered const answered[] = {
    {"Article", "documentId", R"({"type":["string","null"]})"},
    {"Article", "author", R"({"anyOf":[{"$ref":"#/components/schemas/Author"},{"type":"null"}]})"},
    {"Article", "cover",
     R"({"anyOf":[{"$ref":"#/components/schemas/UploadFile"},{"type":"null"}]})"},
    {"Article", "tags", R"({"type":"array","items":{"$ref":"#/components/schemas/Tag"}})"},
    // Empty, it is no null.
    {"Article", "gallery",
     R"({"type":"array","items":{"$ref":"#/components/schemas/UploadFile"}})"},
    {"Article", "seo",
     R"({"anyOf":[{"$ref":"#/components/schemas/SharedSeoComponent"},{"type":"null"}]})"},
};

BOOST_DATA_TEST_CASE(entries_are_flat, answered) {
    json::object member =
        schema(flat(), sample.type).at("properties").at(sample.attribute).as_object();
    member.erase("x-attribute");
    BOOST_TEST(json::serialize(member) == sample.schema);
}

BOOST_AUTO_TEST_CASE(entries_have_a_documentId_and_parts_have_none) {
    BOOST_TEST(json::serialize(schema(flat(), "Article").at("required")) ==
               R"(["id","documentId"])");
    BOOST_TEST(json::serialize(schema(flat(), "SharedSeoComponent").at("required")) == R"(["id"])");
    BOOST_TEST(
        !schema(flat(), "SharedSeoComponent").at("properties").as_object().contains("documentId"));
}

// Where `--response-format v4` says so.
BOOST_AUTO_TEST_CASE(in_the_form_of_strapi_4_the_documentId_stands_beside_the_attributes) {
    json::object const& article = schema(strapi4_form(), "Article");
    BOOST_TEST(json::serialize(article.at("required")) == R"(["id","attributes","documentId"])");
    json::object const& attributes =
        article.at("properties").at("attributes").at("properties").as_object();
    BOOST_TEST(!attributes.contains("documentId"));
    json::object author = attributes.at("author").as_object();
    author.erase("x-attribute");
    BOOST_TEST(json::serialize(author) ==
               R"({"type":"object","required":["data"],"properties":{"data":{"anyOf":[)"
               R"({"$ref":"#/components/schemas/Author"},{"type":"null"}]}}})");
}

// The one row that a polymorphic relation leads to says its type.
BOOST_AUTO_TEST_CASE(every_alternative_of_a_polymorphic_relation_has_its_type) {
    json::array const& alternatives =
        schema(flat(), "Reaction").at("properties").at("subject").at("anyOf").as_array();
    json::array const& entries = alternatives.at(0).at("anyOf").as_array();
    BOOST_TEST(entries.size() > 3);
    for (json::value const& entry : entries)
        BOOST_TEST(json::serialize(entry.at("allOf").at(1).at("required")) == R"(["__type"])");
    BOOST_TEST(json::serialize(alternatives.at(1)) == R"({"type":"null"})");
}

BOOST_AUTO_TEST_SUITE_END()
