#include "fixture.hpp"
#include "load.hpp"

#include <curl/curl.h>

#include <iostream>

// The database dies under load, again and again. Needs `tests/with site`.

using namespace faults;

BOOST_AUTO_TEST_SUITE(killed_database)

namespace {

Ask ask_web_server(std::string const& url) {
    std::shared_ptr<CURL> const curl(curl_easy_init(), curl_easy_cleanup);
    return [url, curl](std::string const& uri) {
        fastcgi::Response response;
        auto const append = +[](char* bytes, std::size_t size, std::size_t count, void* text) {
            static_cast<std::string*>(text)->append(bytes, size * count);
            return size * count;
        };
        curl_easy_setopt(curl.get(), CURLOPT_URL, (url + uri).c_str());
        curl_easy_setopt(curl.get(), CURLOPT_TIMEOUT, 30L);
        curl_easy_setopt(curl.get(), CURLOPT_WRITEFUNCTION, append);
        curl_easy_setopt(curl.get(), CURLOPT_WRITEDATA, &response.body);
        auto const result = curl_easy_perform(curl.get());
        long status = 0;
        curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &status);
        response.status = static_cast<int>(status);
        if (result != CURLE_OK) response.body = curl_easy_strerror(result);
        curl_header* header = nullptr;
        if (curl_easy_header(curl.get(), "Retry-After", 0, CURLH_HEADER, -1, &header) == CURLHE_OK)
            response.headers.emplace_back("Retry-After", header->value);
        return response;
    };
}

unsigned long right_within(Load const& load, std::chrono::milliseconds time) {
    auto const before = load.right();
    std::this_thread::sleep_for(time);
    return load.right() - before;
}

} // namespace

BOOST_AUTO_TEST_CASE(under_load_every_response_is_right_or_a_refusal_and_the_rate_recovers) {
    auto const url = server::setting("STACK_URL");
    auto const kills = server::number("KILLS", 20);
    auto const requests = requests_with_responses(
        {usual_request, cheap_request, "/api/categories", "/api/articles/1?populate=*",
         "/api/pages?populate[zone][populate]=*", "/api/scalars?pagination[pageSize]=100"},
        ask_web_server(url));
    Load load(requests, 8, [&] { return ask_web_server(url); });
    right_within(load, 1s);                         // warm
    auto const usual = right_within(load, 2s) / 20; // in 100 ms
    BOOST_TEST_REQUIRE(usual > 0U);
    std::chrono::milliseconds slowest{0};
    for (unsigned long round = 0; round < kills; ++round) {
        kill_database();
        std::this_thread::sleep_for(500ms);
        database_is_to("start");
        auto const back = Clock::now();
        while (right_within(load, 100ms) < usual / 2 && Clock::now() - back < 20s)
            ;
        auto const took =
            std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - back);
        BOOST_TEST(took.count() <= 2000);
        slowest = std::max(slowest, took);
    }
    load.stop();
    std::cout << kills << " kills: " << load.right() << " right, " << load.refused() << " refused, "
              << load.wrong() << " wrong; longest " << load.longest().count() << " ms; usual rate "
              << usual * 10 << "/s, back after at most " << slowest.count() << " ms\n";
    BOOST_TEST(load.wrong() == 0U, load.first_wrong());
    BOOST_TEST(load.refused() > 0U);
    BOOST_TEST(load.longest().count() < 11'000); // request-timeout, and time to say so
}

BOOST_AUTO_TEST_SUITE_END()
