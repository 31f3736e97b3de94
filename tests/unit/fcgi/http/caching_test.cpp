#include "fcgi/http/answer.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

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
    fcgi::Answer answer;
    answer.body.own() = std::move(body);
    Response response;
    fcgi::dress(std::move(answer), request, {fcgi::CorsRules()}, response);
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
    struct {
        std::string if_none_match;
        int status;
    } const table[] = {
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
    struct {
        fcgi::CacheControl configured;
        std::string_view authorization;
        std::string expected;
    } const table[] = {
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
        fcgi::Answer answer;
        answer.cache_directives = fcgi::directives_of(configured, "api::a.a");
        Response response;
        fcgi::dress(std::move(answer), request, {fcgi::CorsRules()}, response);
        BOOST_TEST(header(response, "Cache-Control") == expected);
    }
}

BOOST_AUTO_TEST_SUITE_END()
