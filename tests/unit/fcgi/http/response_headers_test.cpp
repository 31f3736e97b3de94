#include "fcgi/http/representation.hpp"

#include "fcgi/options/options.hpp"

#include <boost/test/data/test_case.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(cors)

namespace {

constexpr auto origin = "https://a.example";

struct Case {
    char const* name;
    std::vector<char const*> options;
    // @koa/cors sends this with the settings of Strapi 4.26 that the options stand for; null: no
    // such header.
    char const* allow_origin;
    char const* allow_credentials;
    char const* expose_headers; // with a response
    char const* allow_headers;  // with a preflight
};

constexpr auto default_headers = "Content-Type,Authorization,Origin,Accept";

Case const cases[] = {
    {"no option", {}, origin, "true", "ETag", default_headers},
    {"an origin that is named",
     {"--cors-origins", "https://b.example,https://a.example"},
     origin,
     "true",
     "ETag",
     default_headers},
    {"an origin that is not",
     {"--cors-origins", "https://b.example"},
     nullptr,
     nullptr,
     nullptr,
     default_headers},
    {"headers", {"--cors-headers", "X-Own,Accept"}, origin, "true", "ETag", "X-Own,Accept"},
    {"all headers", {"--cors-headers", "*"}, origin, "true", "ETag", "*"},
    {"other headers to see",
     {"--cors-expose", "X-Total,ETag"},
     origin,
     "true",
     "X-Total,ETag",
     default_headers},
    {"no headers to see", {"--cors-expose", ""}, origin, "true", nullptr, default_headers},
    {"no credentials", {"--cors-credentials", "false"}, "*", nullptr, "ETag", default_headers},
    {"no credentials, an origin that is named",
     {"--cors-credentials", "false", "--cors-origins", "https://a.example"},
     origin,
     nullptr,
     "ETag",
     default_headers},
};

std::ostream& operator<<(std::ostream& out, Case const& sample) {
    return out << sample.name;
}

fcgi::CorsRules rules(std::vector<char const*> arguments) {
    arguments.insert(arguments.begin(), "populate-fcgi");
    auto const parsed = fcgi::parse_options(static_cast<int>(arguments.size()), arguments.data());
    BOOST_TEST_REQUIRE(!parsed.exit);
    return parsed.options.cors;
}

// "" where there is none.
std::string header(fcgi::Response const& response, std::string_view name) {
    auto const found =
        std::ranges::find(response.headers, name, [](auto const& h) { return h.first; });
    return found == response.headers.end() ? "" : found->second;
}

std::string or_none(char const* text) {
    return text ? text : "";
}

} // namespace

BOOST_DATA_TEST_CASE(origins_read_as_the_settings_of_the_cms_let_them, cases) {
    fcgi::Request request;
    request.method = "GET";
    request.origin = origin;
    fcgi::Response response;
    fcgi::add_cors(request, rules(sample.options), response);
    BOOST_TEST(header(response, "Access-Control-Allow-Origin") == or_none(sample.allow_origin));
    BOOST_TEST(header(response, "Access-Control-Allow-Credentials") ==
               or_none(sample.allow_credentials));
    BOOST_TEST(header(response, "Access-Control-Expose-Headers") == or_none(sample.expose_headers));
}

BOOST_DATA_TEST_CASE(preflights_name_the_headers_that_may_be_sent, cases) {
    fcgi::Request request;
    request.method = "OPTIONS";
    request.origin = origin;
    request.access_control_request_method = "GET";
    BOOST_TEST(fcgi::is_preflight(request));
    fcgi::Response response;
    auto const with = rules(sample.options);
    fcgi::write_response(fcgi::options_representation(request, with), request, {with}, response);
    BOOST_TEST(response.status == 204);
    BOOST_TEST(header(response, "Access-Control-Allow-Headers") == or_none(sample.allow_headers));
    BOOST_TEST(header(response, "Access-Control-Allow-Origin") == or_none(sample.allow_origin));
    BOOST_TEST(header(response, "Access-Control-Expose-Headers") == "");
}

// @koa/cors 5 leaves the header out where maxAge is 0.
BOOST_AUTO_TEST_CASE(preflights_hold_as_long_as_the_settings_say) {
    std::pair<std::vector<char const*>, std::string> const samples[] = {
        {{}, "31536000"},
        {{"--cors-max-age", "600"}, "600"},
        {{"--cors-max-age", "0"}, ""},
    };
    for (auto const& [options, max_age] : samples) {
        fcgi::Response response;
        response.headers = fcgi::preflight_headers(rules(options));
        BOOST_TEST(header(response, "Access-Control-Max-Age") == max_age);
    }
}

BOOST_AUTO_TEST_CASE(who_names_no_origin_gets_no_such_header) {
    fcgi::Response response;
    fcgi::add_cors({}, {}, response);
    BOOST_TEST(response.headers.empty());
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(caching)

namespace {

using fcgi::Request;
using fcgi::Response;

std::string header(Response const& response, std::string_view name) {
    auto const found =
        std::ranges::find(response.headers, name, [](auto const& header) { return header.first; });
    return found == response.headers.end() ? "" : found->second;
}

Response validated(std::string body, std::string_view if_none_match = {}) {
    Request request{};
    request.if_none_match = if_none_match;
    fcgi::Representation representation;
    representation.body.own() = std::move(body);
    Response response;
    fcgi::write_response(std::move(representation), request, {fcgi::CorsRules()}, response);
    return response;
}

} // namespace

BOOST_AUTO_TEST_CASE(equal_bodies_have_equal_tags_and_others_others) {
    auto const tag = header(validated("{}"), "ETag");
    BOOST_TEST(tag.size() > 2U);
    BOOST_TEST(tag.front() == '"');
    BOOST_TEST(tag.back() == '"');
    BOOST_TEST(header(validated("{}"), "ETag") == tag);
    BOOST_TEST(header(validated("{ }"), "ETag") != tag);
}

// RFC 9110, 13.1.2: `*` or a list of tags, compared weakly.
BOOST_AUTO_TEST_CASE(if_none_match_compares_weakly) {
    auto const tag = header(validated("{}"), "ETag");
    std::pair<std::string, int> const table[] = {
        {"", 200},
        {tag, 304},
        {"W/" + tag, 304},
        {"*", 304},
        {" * ", 304},
        {"\"a\", " + tag, 304},
        {"\"a\",W/\"b\" ,\t" + tag + ", \"c\"", 304},
        {"\"a\", W/\"b\"", 200},
        {tag.substr(1, tag.size() - 2), 200}, // no quotes, no tag
        {"\"" + tag, 200},
        {tag.substr(0, tag.size() - 1), 200},
        {"x" + tag, 200},
        {"\"" + std::string(8'192, 'a') + "\", " + tag, 304},
        {std::string(8'192, '"'), 200},
        {"\"*\"", 200},
    };
    for (auto const& [if_none_match, status] : table) {
        auto const response = validated("{}", if_none_match);
        BOOST_TEST(response.status == status, if_none_match);
        BOOST_TEST(response.body.bytes() == (status == 304 ? "" : "{}"));
        BOOST_TEST(header(response, "ETag") == tag);
    }
}

BOOST_AUTO_TEST_CASE(cache_control_is_the_types_own_and_private_with_credentials) {
    std::tuple<fcgi::CacheControl, std::string_view, std::string> const table[] = {
        {{}, "", ""},
        {{}, "Bearer x", "private"},
        {{{"api::a.a", "public, max-age=60"}}, "", "public, max-age=60"},
        {{{"api::a.a", "public, s-maxage=9, max-age=60"}}, "Bearer x", "private, max-age=60"},
        {{{"api::a.a", "private"}}, "Bearer x", "private"},
        {{{"api::b.b", "max-age=1"}}, "", ""},
        {{{"api::b.b", "max-age=1"}, {"*", "max-age=2"}}, "", "max-age=2"},
        {{{"api::a.a", "max-age=1"}, {"*", "max-age=2"}}, "", "max-age=1"},
    };
    for (auto const& [configured, authorization, expected] : table) {
        Request request{};
        request.authorization = authorization;
        fcgi::Representation representation;
        representation.cache_directives = fcgi::directives_of(configured, "api::a.a");
        Response response;
        fcgi::write_response(std::move(representation), request, {fcgi::CorsRules()}, response);
        BOOST_TEST(header(response, "Cache-Control") == expected);
    }
}

BOOST_AUTO_TEST_SUITE_END()
