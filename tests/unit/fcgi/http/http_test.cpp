#include "fcgi/http/representation.hpp"

#include "fcgi/http/http.hpp"

#include <boost/test/unit_test.hpp>

#include <string_view>
#include <tuple>
#include <utility>

BOOST_AUTO_TEST_SUITE(http)

BOOST_AUTO_TEST_CASE(a_target_is_split_at_the_first_question_mark) {
    struct {
        std::string_view target, path, query;
    } const table[] = {
        {"/", "/", ""},
        {"/api/x?a=1", "/api/x", "a=1"},
        {"/api/x?a?b", "/api/x", "a?b"},
        {"/api/x?", "/api/x", ""},
        {"?a", "/", "a"},
        {"*", "*", ""},
        {"http://host/api/x?a=1", "/api/x", "a=1"},
        {"https://user@host:8080/api/x", "/api/x", ""},
        {"http://host", "/", ""},
        {"http://host?a", "/", "a"},
        {"/api/http://x?u=http://y", "/api/http://x", "u=http://y"},
        {"/?u=http://y", "/", "u=http://y"},
    };
    for (auto const& row : table)
        BOOST_TEST_CONTEXT(row.target) {
            auto target = fcgi::split_target(row.target);
            BOOST_TEST(target.path == row.path);
            BOOST_TEST(target.query == row.query);
        }
}

BOOST_AUTO_TEST_CASE(an_error_is_answered_in_the_envelope) {
    fcgi::Response response;
    response.body.own() = "left over";
    fcgi::write_error({parser::ErrorKind::invalid, "say \"no\""}, {}, response);
    BOOST_TEST(response.status == 400);
    BOOST_TEST(response.body.bytes() ==
               R"({"data":null,"error":{"status":400,"name":"ValidationError",)"
               R"("message":"say \"no\"","details":{}}})");
    BOOST_REQUIRE(response.headers.size() == 1U);
    BOOST_TEST(response.headers[0].second == "application/json; charset=utf-8");
}

BOOST_AUTO_TEST_CASE(details_of_an_error_are_answered_as_they_are) {
    parser::Error error{parser::ErrorKind::unknown_name, "Invalid key nope"};
    error.subject = std::make_shared<parser::Error::Subject const>(
        parser::Error::Subject{.details = R"({"key":"nope","path":null})"});
    fcgi::Response response;
    fcgi::write_error(error, {}, response);
    BOOST_TEST(response.body.bytes() ==
               R"({"data":null,"error":{"status":400,"name":"ValidationError",)"
               R"("message":"Invalid key nope","details":{"key":"nope","path":null}}})");
}

BOOST_AUTO_TEST_CASE(an_error_without_details_has_no_such_member) {
    fcgi::Response response;
    fcgi::write_error({}, {}, response);
    BOOST_TEST(response.body.bytes() ==
               R"({"data":null,"error":{"status":500,"name":"InternalServerError",)"
               R"("message":"Internal Server Error"}})");
}

BOOST_AUTO_TEST_CASE(the_kind_of_an_error_decides_its_status_and_name) {
    using enum parser::ErrorKind;
    std::tuple<parser::ErrorKind, int, std::string_view> const rows[] = {
        {invalid, 400, "ValidationError"},
        {unknown_name, 400, "ValidationError"},
        {over_limit, 400, "ValidationError"},
        {invalid_pagination, 400, "PaginationError"},
        {malformed, 400, "BadRequestError"},
        {unauthenticated, 401, "UnauthorizedError"},
        {not_permitted, 403, "ForbiddenError"},
        {not_found, 404, "NotFoundError"},
        {method_not_allowed, 405, "MethodNotAllowedError"},
        {not_implemented, 501, "NotImplementedError"},
        {unavailable, 503, "ServiceUnavailableError"},
        {conflict, 503, "ServiceUnavailableError"},
        {unreachable, 502, "BadGatewayError"},
        {connection_lost, 502, "BadGatewayError"},
        {timed_out, 504, "GatewayTimeoutError"},
        {schema_changed, 502, "BadGatewayError"},
        {not_granted, 502, "BadGatewayError"},
        {configuration, 500, "InternalServerError"},
        {internal, 500, "InternalServerError"},
    };
    for (auto const& [kind, status, name] : rows) {
        BOOST_TEST(fcgi::error_status(kind).status == status);
        BOOST_TEST(fcgi::error_status(kind).name == name);
    }
}

BOOST_AUTO_TEST_CASE(an_error_of_the_moment_says_when_to_come_back) {
    fcgi::Response response;
    fcgi::write_error(parser::unavailable("secret cause"), {}, response);
    BOOST_TEST(response.status == 503);
    BOOST_REQUIRE(response.headers.size() == 2U);
    BOOST_TEST(response.headers[1].first == "Retry-After");
    BOOST_TEST(response.headers[1].second == "1");
    BOOST_TEST(response.body.bytes().find("secret") == std::string_view::npos);
}

BOOST_AUTO_TEST_CASE(an_edge_is_told_the_names_of_a_response_or_not_to_store_it) {
    struct {
        bool is_from_edge;
        std::string names;
        std::string if_none_match;
        std::string expected;
    } const table[] = {
        {false, "", "", ""},
        {false, "one two", "", ""},
        {true, "one two", "", "xkey: one two"},
        {true, "one two", "*", "xkey: one two"},
        {true, "", "", "Surrogate-Control: no-store"},
    };
    fcgi::CorsRules const cors{};
    for (auto const& [is_from_edge, names, if_none_match, expected] : table) {
        fcgi::Request request;
        request.method = "GET";
        request.is_from_edge = is_from_edge;
        request.if_none_match = if_none_match;
        fcgi::Representation representation;
        representation.body.own() = "{}";
        if (is_from_edge) representation.tag_names = std::make_shared<std::string const>(names);
        fcgi::Response response;
        fcgi::write_response(std::move(representation), request, {cors, false, false, "xkey"},
                             response);
        std::string told;
        for (auto const& [name, value] : response.headers)
            if (name == "xkey" || name == "Surrogate-Control")
                told.append(name).append(": ").append(value);
        BOOST_TEST(told == expected);
    }
    fcgi::Request request;
    request.is_from_edge = true;
    fcgi::Response response;
    fcgi::write_error({}, request, response);
    BOOST_TEST(response.headers.back().first == "Surrogate-Control");
    BOOST_TEST(response.headers.back().second == "no-store");
}

BOOST_AUTO_TEST_CASE(what_the_cms_may_know_is_handed_over_in_the_form_that_the_web_server_named) {
    std::pair<std::string, std::string> const table[] = {
        {"/api/a?b=c d", "Status: 404 Not Found\r\nX-Accel-Redirect: /api/a?b=c d\r\n"},
        {"@cms", "Status: 404 Not Found\r\nX-Accel-Redirect: @cms\r\n"},
        {"510", "Status: 510 \r\n"},
        {"X-Populate-Hand-Over", "Status: 404 Not Found\r\nX-Populate-Hand-Over: yes\r\n"},
        {"", ""},
        {"/a\r\nX-Injected: 1", ""},
        {std::string("/a\0b", 4), ""},
        {"X-Name: value", ""},
        {"/a\x7f", ""},
    };
    for (auto const& [form, signal] : table) {
        fcgi::Request request;
        request.hand_over = form;
        fcgi::Response response;
        response.body.own() = "left over";
        fcgi::write_error({parser::ErrorKind::not_found, "Not Found"}, request, response);
        BOOST_TEST_CONTEXT(form) {
            BOOST_TEST(response.status == 404);
            BOOST_TEST(response.hand_over_signal == signal);
            BOOST_TEST(response.headers.empty() == !signal.empty());
            BOOST_TEST(response.body.empty() == !signal.empty());
        }
    }
}

BOOST_AUTO_TEST_CASE(errors_and_overload_are_not_handed_over) {
    using enum parser::ErrorKind;
    using fcgi::HandOver;
    std::pair<parser::ErrorKind, HandOver> const table[] = {
        {invalid, HandOver::none},
        {unknown_name, HandOver::none},
        {over_limit, HandOver::none},
        {invalid_pagination, HandOver::none},
        {malformed, HandOver::none},
        {unauthenticated, HandOver::unknown_caller},
        {not_permitted, HandOver::none},
        {not_found, HandOver::not_found},
        {method_not_allowed, HandOver::none},
        {not_implemented, HandOver::none},
        {unavailable, HandOver::none},
        {conflict, HandOver::none},
        {timed_out, HandOver::none},
        {unreachable, HandOver::database},
        {connection_lost, HandOver::database},
        {schema_changed, HandOver::database},
        {unsupported, HandOver::database},
        {not_granted, HandOver::database},
        {configuration, HandOver::error},
        {internal, HandOver::error},
    };
    fcgi::Request request;
    request.hand_over = "/api/a";
    for (auto const& [kind, expected] : table) {
        fcgi::Response response;
        BOOST_TEST(fcgi::hand_over(kind, request, response) == (expected != HandOver::none));
        BOOST_TEST((response.trace.handed_over == expected));
    }
}

BOOST_AUTO_TEST_SUITE_END()

BOOST_AUTO_TEST_SUITE(request_key)

namespace {

fcgi::Request usual() {
    fcgi::Request request;
    request.method = "GET";
    request.path = "/api/articles";
    request.query = "sort=id";
    return request;
}

} // namespace

BOOST_AUTO_TEST_CASE(each_part_that_a_response_depends_on_makes_another_request) {
    using Part = std::string_view fcgi::Request::*;
    for (Part const part :
         {&fcgi::Request::method, &fcgi::Request::path, &fcgi::Request::query,
          &fcgi::Request::authorization, &fcgi::Request::origin,
          &fcgi::Request::access_control_request_method, &fcgi::Request::if_none_match,
          &fcgi::Request::response_format, &fcgi::Request::hand_over}) {
        auto request = usual();
        request.*part = "other";
        BOOST_TEST(!fcgi::ask_the_same(request, usual()));
    }
    auto request = usual();
    request.is_from_edge = true;
    BOOST_TEST(!fcgi::ask_the_same(request, usual()));
}

BOOST_AUTO_TEST_CASE(what_no_response_depends_on_makes_no_difference) {
    auto request = usual();
    request.number = 7;
    BOOST_TEST(fcgi::ask_the_same(request, usual()));
}

BOOST_AUTO_TEST_CASE(a_part_does_not_run_over_into_the_next) {
    auto one = usual();
    auto other = usual();
    one.origin = "ab";
    other.origin = "a";
    other.authorization = "b";
    BOOST_TEST(!fcgi::ask_the_same(one, other));
}

// RFC 9110, 12.5.5: what a cache may not mix up.
BOOST_AUTO_TEST_CASE(vary_names_who_asks_and_from_where_and_for_which_format) {
    BOOST_TEST(fcgi::varying_headers() == "Origin, Authorization, Strapi-Response-Format");
}

BOOST_AUTO_TEST_SUITE_END()
