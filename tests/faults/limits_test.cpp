#include "fixture.hpp"

// Each limit is an option. What is at a limit is answered; one past it, the response names the
// limit and its value. (parameters-limit, read-timeout and drain-timeout: tests/fastcgi;
// statement-timeout and acquire-timeout: d6, d7.)

using namespace faults;

BOOST_AUTO_TEST_SUITE(requests)

namespace {

struct Limit {
    std::string name, value;
    std::string at, past;
    std::string unit = {};
};

std::string with_conditions(std::size_t count) {
    std::string uri = "/api/articles?fields=id";
    for (std::size_t i = 0; i < count; ++i)
        uri += "&filters[$and][" + std::to_string(i) + "][id][$gt]=0";
    return uri;
}

std::string with_values(std::size_t count) {
    std::string uri = "/api/articles?fields=id";
    for (std::size_t i = 0; i < count; ++i)
        uri += "&filters[id][$in][" + std::to_string(i) + "]=1";
    return uri;
}

fastcgi::Response get(std::string const& option, std::string const& uri) {
    return ApplicationProcess({.database = server::setting("POPULATE_TEST_DATABASE"),
                               .options = {option},
                               .is_patient = true})
        .get(uri);
}

} // namespace

BOOST_AUTO_TEST_CASE(at_a_limit_it_is_answered_and_past_it_the_limit_is_named) {
    Limit const limits[] = {
        {"query-string-limit", "9", "/api/tags?fields=id", "/api/tags?fields=id&", " bytes"},
        {"plan-nodes-limit", "3", "/api/articles?populate=tags,author",
         "/api/articles?populate=tags,author,category"},
        {"rows-limit", "10", "/api/tags?pagination[pageSize]=10",
         "/api/tags?pagination[pageSize]=11"},
        {"filter-terms-limit", "3", with_conditions(3), with_conditions(4)},
        {"filter-hops-limit", "2", "/api/articles?filters[author][articles][id]=1",
         "/api/articles?filters[author][articles][author][id]=1"},
        {"list-values-limit", "3", with_values(3), with_values(4)},
    };
    for (auto const& limit : limits)
        BOOST_TEST_CONTEXT(limit.name) {
            auto const option = "--" + limit.name + "=" + limit.value;
            BOOST_TEST(get(option, limit.at).status == 200);
            auto const refused = get(option, limit.past);
            BOOST_TEST(refused.status == 400);
            auto const named = limit.name + " (" + limit.value + limit.unit + ")";
            BOOST_TEST((refused.body.find(named) != std::string::npos), refused.body);
        }
}

BOOST_AUTO_TEST_CASE(a_response_of_as_many_bytes_as_allowed_is_sent_and_none_of_more) {
    auto const size = get("--workers=4", usual_request).body.size();
    auto const option = [](std::size_t bytes) {
        return "--response-limit=" + std::to_string(bytes);
    };
    BOOST_TEST(get(option(size), usual_request).body.size() == size);
    auto const refused = get(option(size - 1), usual_request);
    BOOST_TEST(refused.status == 400);
    auto const named = "response-limit (" + std::to_string(size - 1) + " bytes)";
    BOOST_TEST((refused.body.find(named) != std::string::npos), refused.body);
}

BOOST_AUTO_TEST_CASE(without_options_the_limits_are_those_of_the_manual) {
    ApplicationProcess const application(
        {.database = server::setting("POPULATE_TEST_DATABASE"), .is_patient = true});
    Limit const limits[] = {
        {"filter-terms-limit", "200", with_conditions(200), with_conditions(201)},
        {"list-values-limit", "500", with_values(500), with_values(501)},
    };
    for (auto const& limit : limits)
        BOOST_TEST_CONTEXT(limit.name) {
            BOOST_TEST(application.get(limit.at).status == 200);
            auto const refused = application.get(limit.past);
            BOOST_TEST(refused.status == 400);
            auto const named = limit.name + " (" + limit.value + ")";
            BOOST_TEST((refused.body.find(named) != std::string::npos), refused.body);
        }
}

BOOST_AUTO_TEST_SUITE_END()
