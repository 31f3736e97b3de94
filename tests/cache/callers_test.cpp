#include "fixture.hpp"
#include "gunzip.hpp"

// A kept answer is for those who would get the same from the database, and in the form they ask
// for.

using namespace cache_test;

BOOST_AUTO_TEST_SUITE(callers)

BOOST_AUTO_TEST_CASE(nobody_gets_what_was_kept_for_another) {
    Keeping const keeping;
    Asking const asking;
    char const* const uris[] = {"/api/tags",
                                "/api/articles?populate=*&pagination[pageSize]=3",
                                "/api/articles?populate[secrets]=*&pagination[pageSize]=50",
                                "/api/authors?populate=*",
                                "/api/secrets",
                                "/api/faqs",
                                "/api/users/me",
                                "/api/users",
                                "/api/users-permissions/roles"};
    char const* const callers[] = {"public",     "jwt:alice", "jwt:bob",    "jwt:carol", "jwt:dave",
                                   "jwt:erin",   "jwt:frank", "full",       "readonly",  "custom",
                                   "customNone", "expired",   "jwt:badsig", "raw:xyz"};
    // In this order, in the reverse, and again.
    for (int round = 0; round < 4; ++round)
        for (std::size_t i = 0; i < std::size(uris); ++i)
            for (std::size_t j = 0; j < std::size(callers); ++j) {
                auto const* caller = callers[round % 2 ? std::size(callers) - 1 - j : j];
                Question const question{uris[i], caller};
                auto const answer = keeping.ask(question);
                BOOST_TEST((text_of(answer) == text_of(asking.ask(question))),
                           uris[i] << " as " << caller << ": " << text_of(answer).substr(0, 300));
            }
    BOOST_TEST(uses(keeping.counts(), "hit") > 100);
}

BOOST_AUTO_TEST_CASE(forms_of_a_request_are_answered_as_without) {
    Keeping::Settings settings;
    Keeping const keeping(settings);
    Asking const asking;
    Question const plain{"/api/articles?populate=*&pagination[pageSize]=10"};
    auto const kept = keeping.ask_until_kept(plain);
    auto const etag = kept.header("ETag");
    Question const forms[] = {
        {plain.uri, "public", {}, "HEAD"},
        {plain.uri, "public", {{"HTTP_IF_NONE_MATCH", etag}}},
        {plain.uri, "public", {{"HTTP_IF_NONE_MATCH", "W/" + etag + ", \"x\""}}},
        {plain.uri, "public", {{"HTTP_IF_NONE_MATCH", "\"x\""}}},
        {plain.uri, "public", {{"HTTP_IF_NONE_MATCH", "*"}}},
        {plain.uri, "public", {{"HTTP_IF_NONE_MATCH", etag}}, "HEAD"},
        {plain.uri, "public", {{"HTTP_ORIGIN", "https://example.org"}}},
        {plain.uri, "public", {{"HTTP_ORIGIN", "null"}, {"HTTP_IF_NONE_MATCH", etag}}},
        {plain.uri,
         "public",
         {{"HTTP_ORIGIN", "https://example.org"}, {"HTTP_ACCESS_CONTROL_REQUEST_METHOD", "GET"}},
         "OPTIONS"},
        {plain.uri, "public", {}, "OPTIONS"},
        {plain.uri, "public", {}, "POST"},
        {plain.uri, "public", {{"HTTP_ACCEPT_ENCODING", "identity"}}},
        {plain.uri, "public", {{"HTTP_ACCEPT_ENCODING", "br"}}},
        {plain.uri, "public", {{"HTTP_ACCEPT_ENCODING", "gzip;q=0"}}},
        {plain.uri, "public", {{"HTTP_ACCEPT", "text/html"}}},
        {plain.uri, "public", {{"HTTP_RANGE", "bytes=0-9"}}},
        plain,
    };
    for (int round = 0; round < 3; ++round)
        for (auto const& form : forms) {
            auto const answer = keeping.ask(form), right = asking.ask(form);
            BOOST_TEST((text_of(answer) == text_of(right)),
                       form.method << text_of(answer).substr(0, 300) << "\nand not\n"
                                   << text_of(right).substr(0, 300));
        }
    auto const [again, use] = keeping.ask_and_tell(plain);
    BOOST_TEST(use == "hit");
    BOOST_TEST((text_of(again) == text_of(kept)));
}

BOOST_AUTO_TEST_CASE(who_takes_gzip_gets_the_same_packed) {
    Keeping const keeping;
    Asking const asking;
    for (auto const* encodings : {"gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1"}) {
        Question const plain{"/api/articles?populate=*&pagination[pageSize]=10"};
        Question packed = plain;
        packed.headers = {{"HTTP_ACCEPT_ENCODING", encodings}};
        keeping.ask_until_kept(plain);
        fastcgi::Answer answer;
        BOOST_TEST(eventually([&] {
            answer = keeping.ask(packed);
            return answer.header("Content-Encoding") == "gzip";
        }));
        auto const right = asking.ask(plain);
        BOOST_TEST(answer.status == 200);
        BOOST_TEST((gunzip(answer.body) == right.body), encodings);
        BOOST_TEST(answer.body.size() < right.body.size() / 3);
        BOOST_TEST(answer.header("Vary").find("Accept-Encoding") != std::string::npos);
        BOOST_TEST(keeping.ask(plain).header("Vary") == answer.header("Vary"));
        BOOST_TEST(answer.header("ETag") != right.header("ETag"));

        // Either tag is that of the same content.
        for (auto const& etag : {answer.header("ETag"), right.header("ETag")})
            for (auto form : {plain, packed}) {
                form.headers.emplace_back("HTTP_IF_NONE_MATCH", etag);
                auto const unchanged = keeping.ask(form);
                BOOST_TEST(unchanged.status == 304, etag);
                BOOST_TEST(unchanged.body.empty());
            }
        auto head = packed;
        head.method = "HEAD";
        auto const of_head = keeping.ask(head);
        BOOST_TEST(of_head.body.empty());
        BOOST_TEST(of_head.header("ETag") == answer.header("ETag"));
        BOOST_TEST((keeping.ask(plain).body == right.body));
    }
}

// An answer that was packed for someone is no answer to a caller who may see less.
BOOST_AUTO_TEST_CASE(packed_answers_are_for_their_callers_alone) {
    Keeping const keeping;
    Asking const asking;
    for (int round = 0; round < 4; ++round)
        for (auto const* caller : {"full", "public", "jwt:alice", "jwt:bob"}) {
            Question const plain{"/api/articles?populate=*&pagination[pageSize]=10", caller};
            auto packed = plain;
            packed.headers = {{"HTTP_ACCEPT_ENCODING", "gzip"}};
            auto const answer = keeping.ask(packed);
            auto const body =
                answer.header("Content-Encoding") == "gzip" ? gunzip(answer.body) : answer.body;
            BOOST_TEST((body == asking.ask(plain).body), caller);
        }
}

BOOST_AUTO_TEST_SUITE_END()
