#include "fixture.hpp"
#include "gunzip.hpp"

// A cached response is for those who would get the same from the database, and in the form they ask
// for.

using namespace cache_test;
using db::SqlPiece;

BOOST_AUTO_TEST_SUITE(callers)

BOOST_AUTO_TEST_CASE(nobody_gets_what_was_cached_for_another) {
    Keeping const keeping;
    Uncached const uncached;
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
                Request const request{uris[i], caller};
                auto const response = keeping.ask(request);
                BOOST_TEST((text_of(response) == text_of(uncached.ask(request))),
                           uris[i] << " as " << caller << ": " << text_of(response).substr(0, 300));
            }
    BOOST_TEST(uses(keeping.counts(), "hit") > 100);
}

BOOST_AUTO_TEST_CASE(forms_of_a_request_are_answered_as_without) {
    Keeping::Settings settings;
    Keeping const keeping(settings);
    Uncached const uncached;
    Request const plain{"/api/articles?populate=*&pagination[pageSize]=10"};
    auto const cached = keeping.ask_until_cached(plain);
    auto const etag = cached.header("ETag");
    Request const forms[] = {
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
            auto const response = keeping.ask(form), right = uncached.ask(form);
            BOOST_TEST((text_of(response) == text_of(right)),
                       form.method << text_of(response).substr(0, 300) << "\nand not\n"
                                   << text_of(right).substr(0, 300));
        }
    auto const [again, use] = keeping.ask_with_outcome(plain);
    BOOST_TEST(use == "hit");
    BOOST_TEST((text_of(again) == text_of(cached)));
}

BOOST_AUTO_TEST_CASE(who_takes_gzip_gets_the_same_packed) {
    Keeping const keeping;
    Uncached const uncached;
    // Whenever the log is late, the response is that of the database, which is not packed.
    auto const ask_until = [&](Request const& request, auto is_wanted) {
        fastcgi::Response response;
        BOOST_TEST(eventually([&] { return is_wanted(response = keeping.ask(request)); }));
        return response;
    };
    for (auto const* encodings : {"gzip", "gzip, deflate, br", "br;q=1.0, gzip;q=0.8, *;q=0.1"}) {
        Request const plain{"/api/articles?populate=*&pagination[pageSize]=10"};
        Request packed = plain;
        packed.headers = {{"HTTP_ACCEPT_ENCODING", encodings}};
        keeping.ask_until_cached(plain);
        auto const response = ask_until(packed, [](fastcgi::Response const& one) {
            return one.header("Content-Encoding") == "gzip";
        });
        auto const right = uncached.ask(plain);
        BOOST_TEST(response.status == 200);
        BOOST_TEST((gunzip(response.body) == right.body), encodings);
        BOOST_TEST(response.body.size() < right.body.size() / 3);
        BOOST_TEST(response.header("Vary").find("Accept-Encoding") != std::string::npos);
        BOOST_TEST(keeping.ask(plain).header("Vary") == response.header("Vary"));
        BOOST_TEST(response.header("ETag") != right.header("ETag"));

        // Either tag is that of the same content.
        for (auto const& etag : {response.header("ETag"), right.header("ETag")})
            for (auto form : {plain, packed}) {
                form.headers.emplace_back("HTTP_IF_NONE_MATCH", etag);
                auto const unchanged =
                    ask_until(form, [](fastcgi::Response const& one) { return one.status == 304; });
                BOOST_TEST(unchanged.body.empty());
            }
        auto head = packed;
        head.method = "HEAD";
        auto const of_head = ask_until(head, [&](fastcgi::Response const& one) {
            return one.header("ETag") == response.header("ETag");
        });
        BOOST_TEST(of_head.body.empty());
        BOOST_TEST((keeping.ask(plain).body == right.body));
    }
}

// A response that was packed for someone is no response to a caller who may see less.
BOOST_AUTO_TEST_CASE(packed_responses_are_for_their_callers_alone) {
    Keeping const keeping;
    Uncached const uncached;
    for (int round = 0; round < 4; ++round)
        for (auto const* caller : {"full", "public", "jwt:alice", "jwt:bob"}) {
            Request const plain{"/api/articles?populate=*&pagination[pageSize]=10", caller};
            auto packed = plain;
            packed.headers = {{"HTTP_ACCEPT_ENCODING", "gzip"}};
            auto const response = keeping.ask(packed);
            auto const body = response.header("Content-Encoding") == "gzip" ? gunzip(response.body)
                                                                            : response.body;
            BOOST_TEST((body == uncached.ask(plain).body), caller);
        }
}

BOOST_AUTO_TEST_CASE(who_waits_for_a_connection_answers_nobody_who_came_after_a_change) {
    Keeping const keeping(Keeping::Settings{.options = {"--connections=1", "--workers=2"}});
    auto const owner = open_owner();
    for (int round = 0; round < 3; ++round) {
        // So that tags are cheap, even if the machine stood still during the first of these.
        for (int size = 1; size <= 30; ++size)
            keeping.ask({"/api/tags?pagination[pageSize]=" + std::to_string(size)});
        auto const tags = "/api/tags?pagination[pageSize]=" + std::to_string(round + 40);
        Locked articles;
        auto slow = sent(keeping, "/api/articles?populate=*");
        articles.wait_for_reader(); // which has the only connection
        auto before = sent(keeping, tags);
        server::wait_until([&] { return keeping.counts().at("populate_connections_wanted") == 1; });
        server::command(*owner,
                        SqlPiece("DELETE FROM up_permissions_role_links WHERE permission_id = 38"));
        auto after = sent(keeping, tags);
        articles.unlock();
        BOOST_TEST(slow.read_response().status == 200);
        BOOST_TEST(before.read_response().status == 200);
        BOOST_TEST(after.read_response().status == 403);
        server::command(*owner, SqlPiece("INSERT INTO up_permissions_role_links (permission_id, "
                                         "role_id) VALUES (38, 2)"));
    }
}

BOOST_AUTO_TEST_CASE(who_waited_for_a_slot_is_answered_by_what_was_cached_meanwhile) {
    Keeping const keeping(Keeping::Settings{.options = {"--connections=2", "--workers=3"}});
    auto const hits = [&] { return uses(keeping.counts(), "hit"); };
    auto const all = [&] {
        double sum = 0;
        for (auto const& [name, count] : keeping.counts())
            if (name.starts_with("populate_cache_requests_total{")) sum += count;
        return sum;
    };
    int page = 0;
    // Whenever the log is late, both are answered by the database.
    BOOST_TEST(eventually([&] {
        auto const hits_before = hits(), all_before = all();
        Locked articles;
        auto const uri =
            "/api/articles?populate=*&sort=title&pagination[page]=" + std::to_string(++page);
        auto first = sent(keeping, uri);
        auto second = sent(keeping, uri, {{"HTTP_ORIGIN", "https://example.org"}}); // not equal
        articles.unlock();
        auto const body = first.read_response().body;
        BOOST_TEST((second.read_response().body == body));
        BOOST_TEST(eventually([&] { return all() == all_before + 2; }));
        return hits() == hits_before + 1;
    }));
}

BOOST_AUTO_TEST_SUITE_END()
