#include "fcgi/cache/response_cache.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(response_cache)

namespace {

fcgi::ResponseFacts facts(std::uint64_t epoch = 1, std::uint64_t at = 1) {
    fcgi::ResponseFacts facts;
    facts.origin.moment.tag = {epoch, at};
    return facts;
}

constexpr std::size_t megabyte = 1024 * 1024;

} // namespace

BOOST_AUTO_TEST_CASE(it_finds_by_its_key_what_it_keeps) {
    fcgi::ResponseCache cache(megabyte);
    cache.store("one", facts(), "first");
    cache.store(std::string("o\0ne", 4), facts(), "second");
    BOOST_TEST(cache.find("one")->body() == "first");
    BOOST_TEST(cache.find(std::string_view("o\0ne", 4))->body() == "second");
    BOOST_TEST(!cache.find("on"));
}

// The epoch counts first: positions of two have nothing to do with each other.
BOOST_AUTO_TEST_CASE(of_two_responses_the_one_of_the_later_snapshot_stays) {
    std::tuple<db::Tag, db::Tag, char const*> const table[] = {
        {{1, 5}, {1, 6}, "second"}, {{1, 5}, {1, 5}, "second"}, {{1, 6}, {1, 5}, "first"},
        {{2, 1}, {1, 9}, "first"},  {{1, 9}, {2, 1}, "second"},
    };
    for (auto const& [first, second, expected] : table) {
        fcgi::ResponseCache cache(megabyte);
        cache.store("key", facts(first.epoch, first.at), "first");
        cache.store("key", facts(second.epoch, second.at), "second");
        BOOST_TEST(cache.find("key")->body() == expected);
    }
}

BOOST_AUTO_TEST_CASE(it_holds_no_more_than_its_bytes_whatever_is_cached) {
    fcgi::ResponseCache cache(megabyte);
    for (int i = 0; i < 2'000; ++i) {
        cache.store(std::to_string(i), facts(), std::string(10'000, 'x'));
        BOOST_TEST_REQUIRE(cache.held() <= megabyte);
    }
    BOOST_TEST(cache.held() > megabyte / 2);
    BOOST_TEST(cache.find("1999"));
    BOOST_TEST(!cache.find("0"));
}

BOOST_AUTO_TEST_CASE(what_is_asked_for_again_and_again_stays) {
    fcgi::ResponseCache cache(megabyte);
    cache.store("wanted", facts(), "it");
    for (int i = 0; i < 2'000; ++i) {
        cache.store(std::to_string(i), facts(), std::string(10'000, 'x'));
        BOOST_TEST_REQUIRE(cache.find("wanted"));
    }
}

BOOST_AUTO_TEST_CASE(a_response_of_more_than_a_sixteenth_is_not_cached) {
    fcgi::ResponseCache cache(megabyte);
    cache.store("large", facts(), std::string(megabyte / 16, 'x'));
    BOOST_TEST(!cache.find("large"));
    cache.store("small", facts(), std::string(megabyte / 16 - 100, 'x'));
    BOOST_TEST(cache.find("small"));
}

// A client that is slow to take it has it still.
BOOST_AUTO_TEST_CASE(what_is_still_being_sent_counts_until_it_is_sent) {
    fcgi::ResponseCache cache(megabyte);
    std::vector<fcgi::ResponseCache::Pointer> sending;
    for (int i = 0; i < 200; ++i) {
        cache.store(std::to_string(i), facts(), std::string(10'000, 'x'));
        if (auto entry = cache.find(std::to_string(i))) sending.push_back(entry);
        BOOST_TEST_REQUIRE(cache.held() <= megabyte);
    }
    cache.store("more", facts(), std::string(10'000, 'x'));
    BOOST_TEST(!cache.find("more"));
    BOOST_TEST(sending.front()->body().size() == 10'000U);
    sending.clear();
    cache.store("more", facts(), std::string(10'000, 'x'));
    BOOST_TEST(cache.find("more"));
}

BOOST_AUTO_TEST_CASE(it_is_packed_once_it_was_wanted_twice) {
    fcgi::ResponseCache cache(megabyte);
    cache.store("key", facts(), std::string(10'000, 'x'));
    auto const entry = cache.find("key");
    cache.pack(*entry);
    BOOST_TEST(!entry->packed());
    BOOST_TEST(!entry->wants_packing());
    BOOST_TEST(entry->wants_packing());
    BOOST_TEST(!entry->wants_packing());
    auto const before = cache.held();
    cache.pack(*entry);
    BOOST_TEST_REQUIRE(entry->packed());
    BOOST_TEST(entry->packed()->size() < 100U);
    BOOST_TEST(cache.held() > before);
}

BOOST_AUTO_TEST_CASE(threads_may_do_all_of_it_at_once) {
    fcgi::ResponseCache cache(megabyte);
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&cache, thread] {
                for (int i = 0; i < 20'000; ++i) {
                    auto const key = std::to_string(i * (thread + 1) % 300);
                    auto const entry = cache.find(key);
                    if (!entry)
                        cache.store(key, facts(), key + std::string(5'000, 'x'));
                    else if (entry->wants_packing())
                        cache.pack(*entry);
                }
            });
    }
    BOOST_TEST(cache.held() <= megabyte);
    for (int i = 0; i < 300; ++i)
        if (auto const entry = cache.find(std::to_string(i)))
            BOOST_TEST(entry->body().starts_with(std::to_string(i) + "x"));
}

BOOST_AUTO_TEST_SUITE_END()
