#include "fixture.hpp"
#include "tests/faults/chaos_proxy.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <set>

// A cache in front of the web server is told by which names it hears of changes of a response, or
// that it is not to store it.

using namespace cache_test;
using db::SqlPiece;

BOOST_AUTO_TEST_SUITE(edge)

namespace {

// Whatever it is, it is told one of the two.
std::string names_in(fastcgi::Response const& response) {
    std::size_t names = 0, refusals = 0;
    for (auto const& [name, value] : response.headers) {
        names += name == "xkey";
        refusals += name == "Surrogate-Control" && value == "no-store";
    }
    BOOST_TEST(names + refusals == 1U, text_of(response).substr(0, 500));
    return response.header("xkey");
}

// While the log is late nothing may be stored.
fastcgi::Response ask_until_named(Keeping const& keeping, Request const& request) {
    fastcgi::Response response;
    BOOST_TEST(eventually([&] {
                   response = keeping.ask(as_edge(request));
                   return !names_in(response).empty();
               }),
               request.method << ' ' << request.uri << ": " << response.status);
    return response;
}

std::string names_with_use(Keeping const& keeping, Request const& request,
                           std::string const& wanted) {
    std::string names;
    BOOST_TEST(eventually([&] {
                   auto const [response, use] = keeping.ask_with_outcome(as_edge(request));
                   names = names_in(response);
                   return use == wanted;
               }),
               request.uri << ": no " << wanted);
    return names;
}

Request const some{"/api/articles?pagination[pageSize]=3"};

Request const stored[] = {
    some,
    {"/api/articles/2"},
    {"/api/articles?populate=*&pagination[pageSize]=100"},
    {"/api/categories?fields=name&filters[articles][title][$contains]=a&sort=name"},
    {"/api/i18n/locales"},
    {some.uri, "public", {}, "HEAD"},
    {some.uri, "public", {{"HTTP_ORIGIN", "https://example.org"}}},
    {some.uri, "public", {{"HTTP_IF_NONE_MATCH", "*"}}},
};

Request const not_stored[] = {
    {"/api/tags", "full"},
    {"/api/tags", "jwt:alice"},
    {"/api/tags", "jwt:badsig"},
    {"/api/users/me"},
    {"/api/users/me", "jwt:alice"},
    {"/api/nodes/9001"},
    {"/api/none"},
    {"/none"},
    {"/api/faqs"},
    {"/api/nodes?fields=none"},
    {"/api/tags", "public", {}, "POST"},
    {"/api/tags", "public", {}, "OPTIONS"},
    {"/api/tags",
     "public",
     {{"HTTP_ORIGIN", "https://example.org"}, {"HTTP_ACCESS_CONTROL_REQUEST_METHOD", "GET"}},
     "OPTIONS"},
    {"/api/tags", "public", {}, ""},
    {"/api/tags", "public", {{"HTTP_X_LONG", std::string(70'000, 'x')}}},
    {"/_health"},
    {"/_ready"},
    {"/_openapi"},
    {"/_explain/api/tags"},
};

} // namespace

BOOST_AUTO_TEST_CASE(an_edge_is_told_the_names_of_each_response_or_not_to_store_it) {
    Keeping const keeping(with_names());
    for (int round = 0; round < 3; ++round) {
        for (auto const& request : stored)
            ask_until_named(keeping, request);
        for (auto const& request : not_stored) {
            auto const response = keeping.ask(as_edge(request));
            BOOST_TEST(names_in(response) == "", request.method << ' ' << request.uri);
        }
    }
    Request packed{"/api/articles?populate=*&pagination[pageSize]=10"};
    packed.headers = {{"HTTP_ACCEPT_ENCODING", "gzip"}};
    BOOST_TEST(eventually(
        [&] { return ask_until_named(keeping, packed).header("Content-Encoding") == "gzip"; }));
}

BOOST_AUTO_TEST_CASE(nobody_else_is_told_anything) {
    Keeping const with(with_names());
    auto settings = with_names();
    std::erase_if(settings.options, [](auto const& one) { return one.starts_with("--surrogate"); });
    Keeping const without(settings);
    auto const is_same = [](fastcgi::Response const& one, fastcgi::Response const& other) {
        return one.status == other.status && one.headers == other.headers && one.body == other.body;
    };
    std::vector<Request> requests(std::begin(stored), std::end(stored));
    std::ranges::copy_if(not_stored, std::back_inserter(requests), [](auto const& request) {
        return request.uri != "/_explain/api/tags"; // it says what took how long
    });
    for (int round = 0; round < 2; ++round)
        for (auto const& request : requests) {
            auto const expected = without.ask(request);
            BOOST_TEST(expected.header("Surrogate-Control") == "");
            BOOST_TEST(is_same(with.ask(request), expected), request.uri);
            BOOST_TEST(is_same(without.ask(as_edge(request)), expected), request.uri);
            for (fastcgi::Parameters const& more :
                 {fastcgi::Parameters{{"HTTP_POPULATE_EDGE", "1"}}, {{"POPULATE_EDGE", "0"}}}) {
                auto other = request;
                other.headers.insert(other.headers.begin(), more.begin(), more.end());
                BOOST_TEST(is_same(with.ask(other), expected), request.uri);
            }
        }
}

BOOST_AUTO_TEST_CASE(a_response_has_the_same_names_whenever_and_by_whomever_it_is_made) {
    Keeping const one(with_names()), other(with_names()), foreign(with_names("another, as long"));
    std::set<std::string> all;
    for (auto const& request : {Request{"/api/articles?populate=*&sort=title"},
                                Request{"/api/articles?filters[slug]=a-slug"},
                                Request{"/api/articles/2"}, Request{"/api/articles/3"}}) {
        auto const names = names_with_use(one, request, "miss");
        BOOST_TEST(names_with_use(one, request, "hit") == names);
        auto head = request;
        head.method = "HEAD";
        BOOST_TEST(names_with_use(one, head, "hit") == names);
        BOOST_TEST((set_of(names_with_use(other, request, "miss")) == set_of(names)));
        all.insert(names);
        for (auto const& name : set_of(names_with_use(foreign, request, "miss")))
            BOOST_TEST(!set_of(names).contains(name), name);
    }
    BOOST_TEST(all.size() == 4U);
}

BOOST_AUTO_TEST_CASE(names_are_hashes_and_take_four_kilobytes_at_most) {
    Keeping const keeping(with_names());
    std::set<std::string> everywhere;
    for (auto const& request : stored) {
        auto const names = ask_until_named(keeping, request).header("xkey");
        BOOST_TEST(names.size() <= 4'096U);
        auto const each = set_of(names);
        for (std::string const& name : each) {
            BOOST_TEST(name.size() == 8U, name);
            BOOST_TEST(std::ranges::all_of(name, [](char c) {
                return std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
            }));
        }
        std::set<std::string> common;
        std::ranges::set_intersection(everywhere, each, std::inserter(common, common.end()));
        everywhere = everywhere.empty() ? each : common;
    }
    BOOST_TEST(!everywhere.empty()); // the name of all is among them
}

BOOST_AUTO_TEST_CASE(equal_requests_of_an_edge_and_of_others_each_get_their_own) {
    Keeping const keeping(with_names());
    // Whenever the log is late, none is stored.
    BOOST_TEST(eventually([&, page = 0]() mutable {
        auto const uri =
            "/api/articles?populate=*&sort=title&pagination[page]=" + std::to_string(++page);
        Locked articles;
        auto plain = sent(keeping, uri);
        auto edge = sent(keeping, uri, from_edge);
        auto plain_too = sent(keeping, uri);
        auto edge_too = sent(keeping, uri, from_edge);
        articles.unlock();
        for (auto* const client : {&plain, &plain_too}) {
            auto const response = client->read_response();
            BOOST_TEST(response.header("xkey") + response.header("Surrogate-Control") == "");
        }
        auto const names = names_in(edge.read_response());
        return !names.empty() && names_in(edge_too.read_response()) == names;
    }));
}

// It is in flight when the edge hears of the change, and would be stored after that.
BOOST_AUTO_TEST_CASE(what_changes_while_it_is_read_is_not_to_be_stored) {
    Keeping const keeping(with_names());
    auto const owner = open_owner();
    struct {
        char const* name;
        SqlPiece change, back;
    } const table[] = {
        {"a row", "UPDATE categories SET name = CONCAT(name, '.') WHERE id = 1",
         "UPDATE categories SET name = SUBSTRING(name, 1, CHAR_LENGTH(name) - 1) WHERE id = 1"},
        {"the site", "UPDATE strapi_core_store_settings SET value = '\"fr\"' WHERE id = 62",
         "UPDATE strapi_core_store_settings SET value = '\"en\"' WHERE id = 62"},
    };
    int page = 0;
    for (auto const& [name, change, back] : table) {
        Request const request{
            "/api/categories?filters[id]=1&populate=articles&pagination[pageSize]=" +
            std::to_string(++page)};
        keeping.ask_until_cached({"/api/tags"});
        Locked articles;
        auto client = sent(keeping, request.uri, from_edge);
        articles.wait_for_reader(); // which has the category
        server::command(*owner, change);
        keeping.ask_until_cached({"/api/tags"}); // so that the log has been read so far
        articles.unlock();
        auto const response = client.read_response();
        BOOST_TEST(response.status == 200, name);
        BOOST_TEST(names_in(response) == "", name);
        ask_until_named(keeping, request);
        server::command(*owner, back);
    }
}

BOOST_AUTO_TEST_CASE(nothing_is_to_be_stored_while_the_log_is_late) {
    auto const server = server::setting("POPULATE_TEST_SOCKET");
    faults::ChaosProxy proxy(server + ".edge", server);
    auto settings = with_names();
    settings.database.replace(settings.database.find(server), server.size(), server + ".edge");
    Keeping const keeping(settings);
    ask_until_named(keeping, some);
    proxy.set({.hold_streams = true});
    server::command(*open_owner(), SqlPiece("UPDATE tags SET name = CONCAT(name, '.')"));
    for (int i = 0; i < 5; ++i) {
        auto const response = keeping.ask(as_edge(some));
        BOOST_TEST(response.status == 200);
        BOOST_TEST(names_in(response) == "");
    }
    proxy.heal();
    ask_until_named(keeping, some);
}

BOOST_AUTO_TEST_SUITE_END()
