#include "fcgi/http/http.hpp"

#include <boost/test/unit_test.hpp>

#include <string_view>

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

BOOST_AUTO_TEST_CASE(each_part_that_an_answer_depends_on_makes_another_request) {
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

BOOST_AUTO_TEST_CASE(what_no_answer_depends_on_makes_no_difference) {
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
