#include "fcgi/openapi.hpp"

#include "fcgi/openapi_schemas.hpp"
#include "fcgi/route.hpp"

#include <boost/json.hpp>
#include <boost/test/data/monomorphic.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

namespace json = boost::json;

db::Schema const& example() {
    static auto const schema = db::load_schema(TEST_DATA "/ks/project").value();
    return *schema;
}

json::value const& document() {
    static json::value const parsed = json::parse(fcgi::openapi_document(example(), {}));
    return parsed;
}

// The names that schemas have for an attribute: members of objects, and values of `fields`.
bool has_name(json::value const& value, std::string_view name) {
    if (value.is_string()) return value.as_string() == name;
    if (auto const* array = value.if_array())
        return std::ranges::any_of(*array,
                                   [&](auto const& element) { return has_name(element, name); });
    auto const* object = value.if_object();
    return object && std::ranges::any_of(*object, [&](auto const& member) {
               return member.key() == name || has_name(member.value(), name);
           });
}

// Every `$ref` below `value`.
void collect_references(json::value const& value, std::vector<std::string>& references) {
    if (auto const* object = value.if_object())
        for (auto const& [key, member] : *object) {
            if (key == "$ref") references.emplace_back(member.as_string());
            collect_references(member, references);
        }
    if (auto const* array = value.if_array())
        for (auto const& element : *array)
            collect_references(element, references);
}

// `attribute` as entries of the schema `name` have it, without the extension.
std::string answer_schema(std::string_view name, std::string_view attribute) {
    json::object const& schemas = document().at("components").at("schemas").as_object();
    json::object schema = schemas.at(name)
                              .at("properties")
                              .at("attributes")
                              .at("properties")
                              .at(attribute)
                              .as_object();
    schema.erase("x-attribute");
    return json::serialize(schema);
}

struct Answer {
    char const* type;
    char const* attribute;
    char const* schema;
};

std::ostream& operator<<(std::ostream& out, Answer const& answer) {
    return out << answer.type << ' ' << answer.attribute;
}

struct Name {
    char const* uid;
    char const* name;
};

} // namespace

BOOST_AUTO_TEST_SUITE(openapi)

BOOST_AUTO_TEST_CASE(a_path_is_documented_for_every_route_and_no_other) {
    std::size_t operations = 0;
    for (auto const& [path, item] : document().at("paths").as_object()) {
        if (path == "/_health") continue;
        std::string asked(path);
        if (auto const id = asked.find("{id}"); id != std::string::npos) asked.replace(id, 4, "1");
        auto const route = fcgi::find_route(asked, "/api", example());
        BOOST_TEST_CONTEXT(asked) {
            BOOST_TEST((route.kind != fcgi::Route::Kind::unknown));
            BOOST_TEST(item.at("get").at("x-permission").as_string() == route.scope);
            BOOST_TEST(item.at("get").at("x-content-type").as_string() == route.target.type->uid);
        }
        ++operations;
    }
    BOOST_TEST(operations == fcgi::served_routes(example()).size());
    for (auto const& [name, type] : example().routes) {
        bool const documented = document().at("paths").as_object().contains("/api/" + name);
        BOOST_TEST(documented == type->not_served.empty(), name);
    }
}

BOOST_AUTO_TEST_CASE(every_reference_leads_somewhere) {
    std::vector<std::string> references;
    collect_references(document(), references);
    BOOST_TEST(references.size() > 100);
    for (std::string const& reference : references) {
        boost::system::error_code error;
        document().find_pointer(std::string_view(reference).substr(1), error);
        BOOST_TEST(!error, reference);
    }
}

Answer const answers[] = {
    {"Scalar", "aString", R"({"type":["string","null"]})"},
    {"Scalar", "anEnum",
     R"({"type":["string","null"],"enum":["one","two_2","Three","four four",null]})"},
    {"Scalar", "anInteger", R"({"type":["integer","null"]})"},
    {"Scalar", "aBiginteger", R"({"type":["string","null"],"pattern":"^-?[0-9]+$"})"},
    {"Scalar", "aFloat", R"({"type":["number","null"]})"},
    {"Scalar", "aDecimal", R"({"type":["number","null"]})"},
    {"Scalar", "aBoolean", R"({"type":["boolean","null"]})"},
    {"Scalar", "aDate", R"({"type":["string","null"],"format":"date"})"},
    {"Scalar", "aDatetime", R"({"type":["string","null"],"format":"date-time"})"},
    {"Scalar", "aJson", R"({"description":"any JSON"})"},
    {"Article", "author",
     R"({"type":"object","required":["data"],"properties":{"data":{"anyOf":[)"
     R"({"$ref":"#/components/schemas/Author"},{"type":"null"}]}}})"},
    {"Article", "tags",
     R"({"type":"object","required":["data"],"properties":{"data":{"type":"array",)"
     R"("items":{"$ref":"#/components/schemas/Tag"}}}})"},
    {"Article", "gallery",
     R"({"type":"object","required":["data"],"properties":{"data":{"anyOf":[{"type":"array",)"
     R"("items":{"$ref":"#/components/schemas/UploadFile"}},{"type":"null"}]}}})"},
    {"Article", "seo",
     R"({"anyOf":[{"$ref":"#/components/schemas/SharedSeoComponent"},{"type":"null"}]})"},
    {"Article", "sections",
     R"({"type":"array","items":{"$ref":"#/components/schemas/LayoutSectionComponent"}})"},
};

BOOST_DATA_TEST_CASE(each_type_of_attribute_has_the_shape_of_its_answers, answers) {
    BOOST_TEST(answer_schema(sample.type, sample.attribute) == sample.schema);
}

BOOST_AUTO_TEST_CASE(no_two_types_share_a_name) {
    Name const names[] = {
        {"api::article-filters.article-filters", "ArticleFilters"},
        {"api::article.article", "Article2"}, // its filters would be ArticleFilters
        {"api::blog-post.blog-post", "BlogPost"},
        {"api::blog.post", "BlogPost2"},
        {"api::error.error", "Error2"}, // the envelope of errors is Error
        {"api::tag.tag", "Tag"},
        {"api::\u00e9.\u00e9", "2"},
        {"plugin::upload.file", "UploadFile"},
    };
    db::Schema schema;
    for (auto const& [uid, name] : names) {
        auto type = std::make_unique<db::ContentType>();
        type->uid = uid;
        schema.types.emplace(uid, std::move(type));
    }
    fcgi::Schemas const schemas(schema);
    for (auto const& [uid, name] : names)
        BOOST_TEST(schemas.name(*schema.find(uid)) == name, uid);
}

// By the UID of its type, a schema and those with other facets of it.
BOOST_AUTO_TEST_CASE(private_attributes_and_passwords_are_nowhere_in_it) {
    json::object const& schemas = document().at("components").at("schemas").as_object();
    std::size_t hidden = 0;
    for (auto const& [name, schema] : schemas) {
        auto const* about = schema.as_object().if_contains("x-content-type");
        if (!about || std::string_view(name).ends_with("Flat")) continue;
        db::ContentType const* type = example().find(about->at("uid").as_string());
        for (auto const& attribute : type->attributes) {
            if (!attribute.is_private && attribute.type != db::AttributeType::password) continue;
            ++hidden;
            for (char const* facet : {"", "Flat", "Field", "Filters", "Sort", "Populate"})
                if (auto const* found = schemas.if_contains(std::string(name) + facet))
                    BOOST_TEST(!has_name(*found, attribute.name),
                               name << facet << ' ' << attribute.name);
        }
    }
    BOOST_TEST(hidden > 10);
}

BOOST_AUTO_TEST_SUITE_END()
