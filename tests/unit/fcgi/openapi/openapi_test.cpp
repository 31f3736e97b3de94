#include "fcgi/access/route.hpp"
#include "fcgi/openapi/openapi.hpp"
#include "fcgi/openapi/schemas.hpp"
#include "tests/unit/example_schema.hpp"

#include <boost/json.hpp>
#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cstdint>
#include <future>
#include <optional>
#include <ostream>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(openapi)

namespace {

namespace json = boost::json;

using Form = fcgi::DocumentForm;

json::value const& document(Form form = Form::deep) {
    static json::value const deep = json::parse(fcgi::openapi_document(*example_schema(), {}));
    static json::value const flat =
        json::parse(fcgi::openapi_document(*example_schema(), {}, Form::flat));
    return form == Form::deep ? deep : flat;
}

json::object const& schemas(Form form) {
    return document(form).at("components").at("schemas").as_object();
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

// Whether the schema refers to itself, maybe through others.
bool is_in_a_cycle(Form form, std::string const& name) {
    constexpr std::string_view place = "#/components/schemas/";
    std::vector<std::string> reached;
    collect_references(schemas(form).at(name), reached);
    for (std::size_t i = 0; i < reached.size(); ++i) {
        std::vector<std::string> next;
        collect_references(schemas(form).at(reached[i].substr(place.size())), next);
        for (std::string const& reference : next)
            if (std::ranges::find(reached, reference) == reached.end())
                reached.push_back(reference);
    }
    return std::ranges::find(reached, std::string(place) + name) != reached.end();
}

// `attribute` as entries of the schema `name` have it, without the extension.
std::string response_schema(Form form, std::string_view name, std::string_view attribute) {
    json::object schema = schemas(form)
                              .at(name)
                              .at("properties")
                              .at("attributes")
                              .at("properties")
                              .at(attribute)
                              .as_object();
    schema.erase("x-attribute");
    return json::serialize(schema);
}

struct DocumentedResponse {
    Form form;
    char const* type;
    char const* attribute;
    char const* schema;
};

std::ostream& operator<<(std::ostream& out, DocumentedResponse const& documented) {
    return out << documented.type << ' ' << documented.attribute;
}

struct Name {
    char const* uid;
    char const* name;
};

} // namespace

BOOST_AUTO_TEST_CASE(a_path_is_documented_for_every_route_and_no_other) {
    std::size_t operations = 0;
    for (auto const& [path, item] : document().at("paths").as_object()) {
        if (path == "/_health") continue;
        std::string asked(path);
        if (auto const id = asked.find("{id}"); id != std::string::npos) asked.replace(id, 4, "1");
        auto const route = fcgi::find_route(asked, "/api", *example_schema());
        BOOST_TEST_CONTEXT(asked) {
            BOOST_TEST(route.kind);
            BOOST_TEST(item.at("get").at("x-permission").as_string() == route.scope);
            if (route.target.type)
                BOOST_TEST(item.at("get").at("x-content-type").as_string() ==
                           route.target.type->uid);
        }
        ++operations;
    }
    BOOST_TEST(operations == fcgi::served_routes(*example_schema()).size());
    for (auto const& [name, type] : example_schema()->routes) {
        bool const documented = document().at("paths").as_object().contains("/api/" + name);
        BOOST_TEST(documented == type->not_served.empty(), name);
    }
}

BOOST_AUTO_TEST_CASE(every_reference_leads_somewhere) {
    for (Form const form : {Form::deep, Form::flat}) {
        std::vector<std::string> references;
        collect_references(document(form), references);
        BOOST_TEST(references.size() > 100);
        for (std::string const& reference : references) {
            boost::system::error_code error;
            document(form).find_pointer(std::string_view(reference).substr(1), error);
            BOOST_TEST(!error, reference);
        }
    }
}

BOOST_AUTO_TEST_CASE(the_flat_form_has_the_routes_of_the_deep_one_and_no_cycle) {
    auto const& deep = document().at("paths").as_object();
    auto const& flat = document(Form::flat).at("paths").as_object();
    BOOST_TEST(flat.size() == deep.size());
    for (auto const& [path, item] : flat)
        BOOST_TEST(deep.contains(path), path);
    std::size_t cycles = 0;
    for (auto const& [name, schema] : schemas(Form::deep))
        cycles += is_in_a_cycle(Form::deep, name);
    BOOST_TEST(cycles > 100);
    for (auto const& [name, schema] : schemas(Form::flat))
        BOOST_TEST(!is_in_a_cycle(Form::flat, name), name);
}

DocumentedResponse const responses[] = {
    {Form::deep, "Scalar", "aString", R"({"type":["string","null"]})"},
    {Form::deep, "Scalar", "anEnum",
     R"({"type":["string","null"],"enum":["one","two_2","Three","four four",null]})"},
    {Form::deep, "Scalar", "anInteger", R"({"type":["integer","null"]})"},
    {Form::deep, "Scalar", "aBiginteger", R"({"type":["string","null"],"pattern":"^-?[0-9]+$"})"},
    {Form::deep, "Scalar", "aFloat", R"({"type":["number","null"]})"},
    {Form::deep, "Scalar", "aDecimal", R"({"type":["number","null"]})"},
    {Form::deep, "Scalar", "aBoolean", R"({"type":["boolean","null"]})"},
    {Form::deep, "Scalar", "aDate", R"({"type":["string","null"],"format":"date"})"},
    {Form::deep, "Scalar", "aDatetime", R"({"type":["string","null"],"format":"date-time"})"},
    {Form::deep, "Scalar", "aJson", R"({"description":"any JSON"})"},
    {Form::deep, "Article", "author",
     R"({"type":"object","required":["data"],"properties":{"data":{"anyOf":[)"
     R"({"$ref":"#/components/schemas/Author"},{"type":"null"}]}}})"},
    {Form::deep, "Article", "tags",
     R"({"type":"object","required":["data"],"properties":{"data":{"type":"array",)"
     R"("items":{"$ref":"#/components/schemas/Tag"}}}})"},
    {Form::deep, "Article", "gallery",
     R"({"type":"object","required":["data"],"properties":{"data":{"anyOf":[{"type":"array",)"
     R"("items":{"$ref":"#/components/schemas/UploadFile"}},{"type":"null"}]}}})"},
    {Form::deep, "Article", "seo",
     R"({"anyOf":[{"$ref":"#/components/schemas/SharedSeoComponent"},{"type":"null"}]})"},
    {Form::deep, "Article", "sections",
     R"({"type":"array","items":{"$ref":"#/components/schemas/LayoutSectionComponent"}})"},
    {Form::flat, "Article", "title", R"({"type":["string","null"]})"},
    {Form::flat, "Article", "tags",
     R"({"type":"object","required":["data"],"properties":{"data":{"type":"array",)"
     R"("items":{"$ref":"#/components/schemas/TagScalars"}}}})"},
    {Form::flat, "Article", "seo",
     R"({"anyOf":[{"$ref":"#/components/schemas/SharedSeoComponentScalars"},{"type":"null"}]})"},
};

BOOST_DATA_TEST_CASE(each_type_of_attribute_has_the_shape_of_its_responses, responses) {
    BOOST_TEST(response_schema(sample.form, sample.type, sample.attribute) == sample.schema);
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
    for (Form const form : {Form::deep, Form::flat}) {
        std::size_t hidden = 0;
        for (auto const& [name, schema] : schemas(form)) {
            auto const* about = schema.as_object().if_contains("x-content-type");
            if (!about || std::string_view(name).ends_with("Flat")) continue;
            db::ContentType const* type = example_schema()->find(about->at("uid").as_string());
            for (auto const& attribute : type->attributes) {
                if (!attribute.is_private && attribute.type != db::AttributeType::password)
                    continue;
                ++hidden;
                for (char const* facet :
                     {"", "Flat", "Field", "Filters", "Sort", "Populate", "Scalars", "FlatScalars"})
                    if (auto const* found = schemas(form).if_contains(std::string(name) + facet))
                        BOOST_TEST(!has_name(*found, attribute.name),
                                   name << facet << ' ' << attribute.name);
            }
        }
        BOOST_TEST(hidden > 10);
    }
}

// Generators name inline schemas by where they are, and two places can be named alike.
BOOST_AUTO_TEST_CASE(values_of_lists_have_names_where_generators_would_make_one) {
    auto const needs_name = [](json::value const& schema) {
        auto const* object = schema.if_object();
        auto const* type = object ? object->if_contains("type") : nullptr;
        return object && (object->contains("enum") || (type && type->is_array()));
    };
    std::size_t lists = 0;
    auto const look = [&](auto const& self, json::value const& value) -> void {
        if (auto const* array = value.if_array())
            for (auto const& element : *array)
                self(self, element);
        auto const* object = value.if_object();
        if (!object) return;
        if (auto const* items = object->if_contains("items")) {
            ++lists;
            BOOST_TEST(!needs_name(*items), json::serialize(*items));
        }
        for (auto const& [key, member] : *object)
            self(self, member);
    };
    for (Form const form : {Form::deep, Form::flat})
        look(look, document(form));
    BOOST_TEST(lists > 100);
}

BOOST_AUTO_TEST_CASE(a_document_is_made_once_for_all_who_ask_for_it) {
    auto const schema = example_schema();
    fcgi::Options const options;
    fcgi::DocumentCache documents(schema, options);
    std::vector<std::future<fcgi::Representation>> asked;
    for (int i = 0; i < 8; ++i)
        asked.push_back(
            std::async(std::launch::async, [&] { return documents.find(Form::deep, {}).value(); }));
    auto const first = asked.front().get();
    BOOST_TEST(first.body.bytes() == fcgi::openapi_document(*schema, options));
    auto const is_first = [&](fcgi::Representation const& representation) {
        return representation.body.bytes().data() == first.body.bytes().data();
    };
    for (auto& representation : asked | std::views::drop(1))
        BOOST_TEST(is_first(representation.get()));
    BOOST_TEST(!is_first(documents.find(Form::flat, {}).value()));
    BOOST_TEST(is_first(documents.find(Form::deep, {}).value()));
}

BOOST_AUTO_TEST_SUITE_END()

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

struct AttributeSchema {
    char const* type;
    char const* attribute;
    char const* schema;
};

std::ostream& operator<<(std::ostream& out, AttributeSchema const& attribute_schema) {
    return out << attribute_schema.type << ' ' << attribute_schema.attribute;
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

AttributeSchema const attribute_schemas[] = {
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

BOOST_DATA_TEST_CASE(entries_are_flat, attribute_schemas) {
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
