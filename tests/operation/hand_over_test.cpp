#include "scraped.hpp"

// What a web server in front gets to see of requests that the CMS has to answer.

using namespace operation;

BOOST_AUTO_TEST_SUITE(hand_over)

namespace {

fastcgi::Parameters named(std::string const& form, fastcgi::Parameters more = {}) {
    more.emplace_back("POPULATE_HAND_OVER", form);
    return more;
}

std::string text_of(fastcgi::Response const& response) {
    std::string text = std::to_string(response.status);
    for (auto const& [name, value] : response.headers)
        text.append(" ").append(name).append(": ").append(value);
    return text + (response.body.empty() ? "" : " with a body");
}

} // namespace

BOOST_AUTO_TEST_CASE(the_signal_is_all_that_is_sent_of_what_the_cms_may_know) {
    struct {
        std::string uri;
        fastcgi::Parameters headers;
        std::string expected;
    } const table[] = {
        {"/api/nothing", {}, "404 X-Cms: yes"},
        {"/api/articles/999999", {}, "404 X-Cms: yes"},
        {"/api/articles/999999", {{"HTTP_ORIGIN", "https://a.example"}}, "404 X-Cms: yes"},
        {"/_explain/api/articles", {}, "404 X-Cms: yes"}, // the route is off
        {"/api/articles", {{"HTTP_AUTHORIZATION", "Bearer unknown"}}, "401 X-Cms: yes"},
    };
    faults::ApplicationProcess const application(with({"--server-timing=true"}));
    for (auto const& [uri, headers, expected] : table)
        BOOST_TEST(text_of(application.get(uri, named("X-Cms", headers))) == expected);
}

BOOST_AUTO_TEST_CASE(what_is_not_handed_over_is_as_without_the_parameter) {
    faults::ApplicationProcess const application(with({}));
    for (auto const* const uri : {"/api/articles", "/api/articles?fields=nope", "/api/secrets"})
        BOOST_TEST(text_of(application.get(uri, named("X-Cms"))) == text_of(application.get(uri)));
    BOOST_TEST(application.get("/api/nothing", {{"HTTP_POPULATE_HAND_OVER", "X-Cms"}}).body != "");
}

// The schema files have the project's types, not those of the admin panel and of plugins.
BOOST_AUTO_TEST_CASE(the_cms_lists_its_types_and_describes_those_of_its_own) {
    std::string const types = "/api/content-type-builder/content-types";
    fastcgi::Parameters const full = {
        {"HTTP_AUTHORIZATION", "Bearer " + secret("/apiTokens/full")}};
    struct {
        std::string uri;
        fastcgi::Parameters caller;
        int status;
        bool handed_over;
    } const table[] = {
        {types, full, 200, true},
        {types + "?kind=singleType", full, 200, true},
        {types + "/admin::user", full, 404, true},
        {types + "/plugin::upload.file", full, 200, true}, // a 404 since Strapi 5.32
        {types + "/api::tag.tag", full, 200, false},
        {types + "?kind=anyType", full, 400, false},
        {types, {}, 403, false},
        {types + "/admin::user", {}, 403, false},
    };
    faults::ApplicationProcess const application(with_accounts({}));
    for (auto const& [uri, caller, status, handed_over] : table) {
        auto const alone = application.get(uri, caller);
        BOOST_TEST(alone.status == status, uri);
        BOOST_TEST(text_of(application.get(uri, named("X-Cms", caller))) ==
                       (handed_over ? "404 X-Cms: yes" : text_of(alone)),
                   uri);
    }
}

BOOST_AUTO_TEST_CASE(a_database_that_is_not_there_is_handed_over) {
    faults::ApplicationProcess const application(without_database({"--log-requests=failed"}));
    BOOST_TEST(text_of(application.get("/api/articles", named("510"))) == "510");
    BOOST_TEST(text_of(application.get("/api/articles", named("/api/articles"))) ==
               "502 X-Accel-Redirect: /api/articles");
    BOOST_TEST(eventually([&] {
        return application.log().find(" status=502 ") != std::string::npos &&
               application.log().find(" handed-over=database ") != std::string::npos;
    }));
}

BOOST_AUTO_TEST_CASE(requests_that_are_handed_over_are_counted_by_reason) {
    Scraped const scraped;
    scraped.application.get("/api/nothing", named("510"));
    scraped.application.get("/api/articles/999999", named("510"));
    scraped.application.get("/api/articles", named("510", {{"HTTP_AUTHORIZATION", "Bearer x"}}));
    scraped.application.get("/api/nothing");
    auto now = scraped.samples_of(4);
    BOOST_TEST(now["populate_handed_over_total{reason=\"not-found\"}"] == 2);
    BOOST_TEST(now["populate_handed_over_total{reason=\"unknown-caller\"}"] == 1);
    BOOST_TEST(now["populate_requests_total{type=\"none\",status=\"404\"}"] == 2);
}

BOOST_AUTO_TEST_SUITE_END()
