#include "fcgi/openapi.hpp"

#include "fcgi/route.hpp"

#include <boost/json.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
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
