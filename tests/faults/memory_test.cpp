#include "fixture.hpp"
#include "tests/database/stopped_server.hpp"

#include <algorithm>
#include <future>
#include <map>
#include <vector>

// Requests hold no more memory together than they may, whatever they ask for: the tests look at the
// peak of the process, and at what it holds afterwards.

using namespace faults;
using db::SqlPiece;

BOOST_AUTO_TEST_SUITE(memory)

namespace {

constexpr long KiB = 1024;
constexpr long MiB = 1024 * KiB;
// The program with its threads, connections and buffers takes as much besides.
constexpr long besides = 64 * MiB;

// Bytes, of a line of /proc/PID/status: VmHWM is the peak.
long memory_of(pid_t process, std::string const& line) {
    std::ifstream status("/proc/" + std::to_string(process) + "/status");
    std::string word;
    while (status >> word)
        if (long number = 0; word == line + ":" && status >> number) return number * KiB;
    return 0;
}

// Categories and articles that no other test reads; gone afterwards.
struct LargeContent {
    LargeContent() {
        // One category with 60,000 articles of 1.3 KB.
        change("INSERT INTO categories (id, name) VALUES (9001, 'large')");
        change("INSERT INTO articles (id, title, body, locale, published_at)"
               " SELECT 100000 + (@n := @n + 1), 'many', REPEAT('x', 1300), 'xx', NOW()"
               " FROM articles a, articles b, articles c, (SELECT @n := 0) n LIMIT 60000");
        change("INSERT INTO articles_category_links (article_id, category_id)"
               " SELECT id, 9001 FROM articles WHERE title = 'many'");
        // And articles of 4 MB.
        change("INSERT INTO articles (id, title, body, locale, published_at)"
               " SELECT 90000 + (@n := @n + 1), 'wide', REPEAT('y', 4000000), 'xx', NOW()"
               " FROM articles a, (SELECT @n := 0) n LIMIT 20");
    }
    ~LargeContent() {
        change("DELETE FROM articles_category_links WHERE category_id = 9001");
        change("DELETE FROM articles WHERE id > 90000");
        change("DELETE FROM categories WHERE id = 9001");
    }
    static void change(SqlPiece sql) {
        db::SessionOptions options;
        options.read_only = false;
        options.statement_timeout = 120s;
        server::command(*server::open(server::owner(), options), sql);
    }
};

std::vector<fastcgi::Response> ask_at_once(ApplicationProcess const& application,
                                           std::string const& uri, int clients) {
    std::vector<std::future<fastcgi::Response>> responses;
    for (int i = 0; i < clients; ++i)
        responses.push_back(std::async(std::launch::async, [&application, &uri, i] {
            return application.get(uri + "&unknown=" + std::to_string(i)); // none is shared
        }));
    std::vector<fastcgi::Response> all;
    for (auto& response : responses)
        all.push_back(response.get());
    return all;
}

// While memory is short, a client that takes nothing of its response for a second is cut off; on a
// busy machine that may be one that wants to.
bool was_cut_off(ApplicationProcess const& application, fastcgi::Response const& response) {
    return response.status == 0 && response.body.starts_with("closed ") && eventually([&] {
               return application.log().find("memory is short") != std::string::npos;
           });
}

// Whether it comes to hold no more than so many bytes.
bool falls_to(ApplicationProcess const& application, long bytes) {
    return eventually([&] { return memory_of(application.id(), "VmRSS") <= bytes; });
}

} // namespace

BOOST_AUTO_TEST_CASE(whatever_is_asked_takes_no_more_than_the_budget_and_is_given_back) {
    if (sanitized) return; // it has a memory of its own
    LargeContent const content;
    ApplicationProcess const application(
        {.database = reader_through(server::setting("POPULATE_TEST_SOCKET")),
         .options = {"--memory=64M", "--response-limit=16M"},
         .is_patient = true});
    struct {
        std::string uri;
        std::vector<int> statuses; // that may come
    } const requests[] = {
        {"/api/categories/9001?populate[articles]=true", {400, 503}},
        {"/api/articles?locale=xx&filters[title]=wide&pagination[pageSize]=100", {400, 503}},
        {"/api/articles?locale=xx&filters[title]=wide&pagination[pageSize]=3", {200, 503}},
        {"/api/articles?locale=xx&filters[title]=many&pagination[pageSize]=100", {200, 503}},
    };
    for (auto const& [uri, statuses] : requests) {
        auto const alone = ask_at_once(application, uri, 1)[0];
        BOOST_TEST(alone.status == statuses[0], uri << ": " << alone.body.substr(0, 200));
        for (int round = 0; round < 2; ++round)
            for (auto const& response : ask_at_once(application, uri, 16))
                BOOST_TEST((std::ranges::count(statuses, response.status) == 1 ||
                            was_cut_off(application, response)),
                           uri << ": " << response.status << " " << response.body.substr(0, 200));
        BOOST_TEST(memory_of(application.id(), "VmHWM") < 64 * MiB + besides, uri);
    }
    BOOST_TEST(falls_to(application, besides));
    BOOST_TEST_MESSAGE("peak " << memory_of(application.id(), "VmHWM") / MiB << " MiB, then "
                               << memory_of(application.id(), "VmRSS") / MiB << " MiB");
}

BOOST_AUTO_TEST_CASE(headers_of_thousands_count_as_memory_and_are_given_back) {
    if (sanitized) return;
    constexpr int many = 3'000;
    ApplicationProcess const application(
        {.database = reader_through(server::setting("POPULATE_TEST_SOCKET")),
         .options = {"--memory=64M", "--response-limit=16M"}});
    BOOST_TEST_REQUIRE(application.responds(cheap_request, 200));
    auto const before = memory_of(application.id(), "VmRSS");
    auto const large =
        fastcgi::request(fastcgi::get(cheap_request, {{"HTTP_COOKIE", std::string(60'000, 'c')}}));
    std::vector<fastcgi::Client> clients;
    std::map<int, int> statuses;
    {
        server::Stopped const stopped(database_process());
        for (int i = 0; i < many; ++i) {
            clients.push_back(application.connect());
            clients.back().send(large);
        }
        for (auto& client : clients)
            ++statuses[client.read_response().status];
    }
    for (auto const& [status, count] : statuses)
        BOOST_TEST((status == 503 || status == 504), status << ": " << count << " of " << many);
    BOOST_TEST(memory_of(application.id(), "VmHWM") < 64 * MiB + besides);
    BOOST_TEST(falls_to(application, before + 32 * MiB)); // while they stay
    BOOST_TEST_MESSAGE("before " << before / MiB << " MiB, peak "
                                 << memory_of(application.id(), "VmHWM") / MiB << " MiB, then "
                                 << memory_of(application.id(), "VmRSS") / MiB << " MiB");
    BOOST_TEST(application.responds(cheap_request, 200));
}

BOOST_AUTO_TEST_SUITE_END()
