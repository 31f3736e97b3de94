#include "fcgi/cache/answer_cache.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <thread>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(answer_cache)

namespace {

fcgi::AnswerFacts facts(std::uint64_t epoch = 1, std::uint64_t at = 1) {
    fcgi::AnswerFacts facts;
    facts.origin.mark.tag = {epoch, at};
    return facts;
}

constexpr std::size_t megabyte = 1024 * 1024;

} // namespace

BOOST_AUTO_TEST_CASE(it_finds_by_its_key_what_it_keeps) {
    fcgi::AnswerCache cache(megabyte);
    cache.keep("one", facts(), "first");
    cache.keep(std::string("o\0ne", 4), facts(), "second");
    BOOST_TEST(cache.find("one")->body() == "first");
    BOOST_TEST(cache.find(std::string_view("o\0ne", 4))->body() == "second");
    BOOST_TEST(!cache.find("on"));
}

// The epoch counts first: positions of two have nothing to do with each other.
BOOST_AUTO_TEST_CASE(of_two_answers_the_one_of_the_later_snapshot_stays) {
    std::tuple<db::Tag, db::Tag, char const*> const table[] = {
        {{1, 5}, {1, 6}, "second"}, {{1, 5}, {1, 5}, "second"}, {{1, 6}, {1, 5}, "first"},
        {{2, 1}, {1, 9}, "first"},  {{1, 9}, {2, 1}, "second"},
    };
    for (auto const& [first, second, expected] : table) {
        fcgi::AnswerCache cache(megabyte);
        cache.keep("key", facts(first.epoch, first.at), "first");
        cache.keep("key", facts(second.epoch, second.at), "second");
        BOOST_TEST(cache.find("key")->body() == expected);
    }
}

BOOST_AUTO_TEST_CASE(it_holds_no_more_than_its_bytes_whatever_is_kept) {
    fcgi::AnswerCache cache(megabyte);
    for (int i = 0; i < 2'000; ++i) {
        cache.keep(std::to_string(i), facts(), std::string(10'000, 'x'));
        BOOST_TEST_REQUIRE(cache.held() <= megabyte);
    }
    BOOST_TEST(cache.held() > megabyte / 2);
    BOOST_TEST(cache.find("1999"));
    BOOST_TEST(!cache.find("0"));
}

BOOST_AUTO_TEST_CASE(what_is_asked_for_again_and_again_stays) {
    fcgi::AnswerCache cache(megabyte);
    cache.keep("wanted", facts(), "it");
    for (int i = 0; i < 2'000; ++i) {
        cache.keep(std::to_string(i), facts(), std::string(10'000, 'x'));
        BOOST_TEST_REQUIRE(cache.find("wanted"));
    }
}

BOOST_AUTO_TEST_CASE(an_answer_of_more_than_a_sixteenth_is_not_kept) {
    fcgi::AnswerCache cache(megabyte);
    cache.keep("large", facts(), std::string(megabyte / 16, 'x'));
    BOOST_TEST(!cache.find("large"));
    cache.keep("small", facts(), std::string(megabyte / 16 - 100, 'x'));
    BOOST_TEST(cache.find("small"));
}

// A client that is slow to take it has it still.
BOOST_AUTO_TEST_CASE(what_is_still_being_sent_counts_until_it_is_sent) {
    fcgi::AnswerCache cache(megabyte);
    std::vector<fcgi::AnswerCache::Pointer> sending;
    for (int i = 0; i < 200; ++i) {
        cache.keep(std::to_string(i), facts(), std::string(10'000, 'x'));
        if (auto kept = cache.find(std::to_string(i))) sending.push_back(kept);
        BOOST_TEST_REQUIRE(cache.held() <= megabyte);
    }
    cache.keep("more", facts(), std::string(10'000, 'x'));
    BOOST_TEST(!cache.find("more"));
    BOOST_TEST(sending.front()->body().size() == 10'000U);
    sending.clear();
    cache.keep("more", facts(), std::string(10'000, 'x'));
    BOOST_TEST(cache.find("more"));
}

BOOST_AUTO_TEST_CASE(it_is_packed_once_it_was_wanted_twice) {
    fcgi::AnswerCache cache(megabyte);
    cache.keep("key", facts(), std::string(10'000, 'x'));
    auto const kept = cache.find("key");
    cache.pack(*kept);
    BOOST_TEST(!kept->packed());
    BOOST_TEST(!kept->wants_packing());
    BOOST_TEST(kept->wants_packing());
    BOOST_TEST(!kept->wants_packing());
    auto const before = cache.held();
    cache.pack(*kept);
    BOOST_TEST_REQUIRE(kept->packed());
    BOOST_TEST(kept->packed()->size() < 100U);
    BOOST_TEST(cache.held() > before);
}

BOOST_AUTO_TEST_CASE(threads_may_do_all_of_it_at_once) {
    fcgi::AnswerCache cache(megabyte);
    {
        std::vector<std::jthread> threads;
        for (int thread = 0; thread < 4; ++thread)
            threads.emplace_back([&cache, thread] {
                for (int i = 0; i < 20'000; ++i) {
                    auto const key = std::to_string(i * (thread + 1) % 300);
                    auto const kept = cache.find(key);
                    if (!kept)
                        cache.keep(key, facts(), key + std::string(5'000, 'x'));
                    else if (kept->wants_packing())
                        cache.pack(*kept);
                }
            });
    }
    BOOST_TEST(cache.held() <= megabyte);
    for (int i = 0; i < 300; ++i)
        if (auto const kept = cache.find(std::to_string(i)))
            BOOST_TEST(kept->body().starts_with(std::to_string(i) + "x"));
}

BOOST_AUTO_TEST_SUITE_END()
