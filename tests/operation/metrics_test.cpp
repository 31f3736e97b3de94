#include "scraped.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <regex>

#include <sys/socket.h>

// These tests read the metrics as a scraper does.

using namespace operation;
namespace json = boost::json;

BOOST_AUTO_TEST_SUITE(metrics)

namespace {

constexpr auto articles_200 =
    "populate_requests_total{type=\"api::article.article\",status=\"200\"}";

} // namespace

BOOST_AUTO_TEST_CASE(every_metric_is_documented_and_no_other) {
    Scraped const scraped;
    scraped.application.get("/api/articles");
    std::set<std::string> names;
    auto const text = scraped.text();
    std::regex const type("# TYPE (\\S+) ");
    for (std::sregex_iterator found(text.begin(), text.end(), type), end; found != end; ++found)
        names.insert((*found)[1]);
    BOOST_TEST(text_of(names) == text_of(documented("Metrics")));
}

BOOST_AUTO_TEST_CASE(requests_are_counted_by_type_and_status_with_their_statements) {
    Scraped const scraped;
    for (int i = 0; i < 3; ++i)
        scraped.application.get("/api/articles?fields=title&pagination[pageSize]=2");
    scraped.application.get("/api/articles?fields=nope");
    scraped.application.get("/nothing");
    auto now = scraped.samples_of(5);
    BOOST_TEST(now[articles_200] == 3);
    BOOST_TEST(now["populate_requests_total{type=\"api::article.article\",status=\"400\"}"] == 1);
    BOOST_TEST(now["populate_requests_total{type=\"none\",status=\"404\"}"] == 1);
    BOOST_TEST(now["populate_statements_total"] == 6);
    BOOST_TEST(now["populate_rows_total"] == 9);
    BOOST_TEST(now["populate_plans_total{from=\"bind\"}"] == 1);
    BOOST_TEST(now["populate_plans_total{from=\"cache\"}"] == 2);
    BOOST_TEST(now["populate_stage_seconds_count{stage=\"execute\"}"] == 3);
    BOOST_TEST(now["populate_connections_open"] >= 1);
    BOOST_TEST(now["populate_connections_idle"] == now["populate_connections_open"]);
}

// The first of a kind is unknown, or expensive where it follows more than forty relations.
Samples costs_of_five() {
    Scraped const scraped;
    for (int i = 0; i < 3; ++i) // values make no other kind
        scraped.application.get("/api/tags?filters[id]=" + std::to_string(i));
    std::string expensive = "/api/articles?fields=id";
    for (int i = 0; i < 21; ++i)
        expensive += "&filters[$or][" + std::to_string(i) + "][author][articles][id]=1";
    scraped.application.get(expensive);
    scraped.application.get("/nothing");
    return scraped.samples_of(5);
}

BOOST_AUTO_TEST_CASE(requests_are_counted_by_what_they_cost) {
    Samples now;
    // On a machine that is busy for a tenth of a second one of another kind is expensive, too.
    eventually([&] {
        now = costs_of_five();
        return now["populate_request_costs_total{cost=\"cheap\"}"] == 3;
    });
    BOOST_TEST(now["populate_request_costs_total{cost=\"unknown\"}"] == 1);
    BOOST_TEST(now["populate_request_costs_total{cost=\"cheap\"}"] == 3);
    BOOST_TEST(now["populate_request_costs_total{cost=\"expensive\"}"] == 1);
}

BOOST_AUTO_TEST_CASE(histograms_grow_from_bucket_to_bucket_up_to_their_count) {
    Scraped const scraped;
    for (int i = 0; i < 5; ++i)
        scraped.application.get("/api/articles");
    scraped.samples_of(5);
    auto const text = scraped.text();
    auto const samples = read_samples(text);
    std::regex const bucket(
        "(\\S+)_bucket\\{(?:((?:stage|type)=\"[^\"]+\"),)?le=\"([^\"]+)\"\\} (\\d+)");
    std::string series;
    double last_end = 0, last = 0;
    std::size_t ends = 0;
    for (std::sregex_iterator found(text.begin(), text.end(), bucket), none; found != none;
         ++found) {
        auto const& parts = *found;
        std::string const labels = parts[2].matched ? "{" + parts[2].str() + "}" : "";
        if (series != parts[1].str() + labels) last_end = last = 0;
        series = parts[1].str() + labels;
        double const end = std::strtod(parts[3].str().c_str(), nullptr);
        double const count = std::strtod(parts[4].str().c_str(), nullptr);
        BOOST_TEST((end > last_end && count >= last), parts[0].str());
        last_end = end, last = count;
        if (!std::isinf(end)) continue;
        ++ends;
        BOOST_TEST(samples.at(parts[1].str() + "_count" + labels) == count);
    }
    BOOST_TEST(ends == 10U); // of a request, of its type, and of its eight stages
}

BOOST_AUTO_TEST_CASE(refusals_are_counted_by_their_limit) {
    Scraped const scraped(with({"--rows-limit=1", "--query-string-limit=200"}));
    scraped.application.get("/api/articles");
    scraped.application.get("/api/articles?" + std::string(300, 'a'));
    scraped.application.get("/api/articles?" + std::string(70'000, 'a'));
    auto now = scraped.samples_of(3);
    for (std::string const limit : {"rows-limit", "query-string-limit", "parameters-limit"})
        BOOST_TEST(now["populate_limit_refusals_total{limit=\"" + limit + "\"}"] == 1, limit);
}

BOOST_AUTO_TEST_CASE(indexes_that_are_gone_are_reported_by_log_and_metric_until_they_are_back) {
    auto const file = server::setting("POPULATE_TEST_SOCKET") + ".indexes.sql";
    std::ofstream(file)
        << "CREATE INDEX `pf_slug` ON `tags` (`slug`) ALGORITHM=INPLACE LOCK=NONE;\n";
    Scraped const scraped(with({"--indexes=" + file}));
    auto const& application = scraped.application;
    auto const missing = [&] { return scraped.samples()["populate_indexes_missing"]; };
    BOOST_TEST(application.get("/api/tags").status == 200);
    BOOST_TEST(missing() == 1);
    auto const owner = server::open_owner();
    server::command(*owner, db::SqlPiece("CREATE INDEX pf_slug ON tags (slug)"));
    application.signal(SIGHUP); // otherwise the next look is half a minute later
    BOOST_TEST(eventually([&] {
        application.get("/api/tags");
        return missing() == 0;
    }));
    server::command(*owner, db::SqlPiece("DROP INDEX pf_slug ON tags"));
    auto const log = application.log();
    auto const told = log.find("indexes are gone, so requests that use them are slow: pf_slug");
    BOOST_TEST(told != std::string::npos, log);
    BOOST_TEST(log.find("all indexes of the file exist", told) != std::string::npos, log);
}

// Whether the CMS has set the database up, or there is none, which is looked at in other ways.
void check_missing_table(bool has_cms) {
    auto const owner = server::open_owner();
    auto const rename = [&](db::SqlPiece sql) { server::command(*owner, sql); };
    if (!has_cms) rename("RENAME TABLE strapi_database_schema TO kept_schema");
    {
        Scraped const scraped(with({"--permission-ttl=0"}));
        auto const& application = scraped.application;
        auto const lacks = [&] { return scraped.samples()["populate_schema_lacks"]; };
        BOOST_TEST(application.responds("/_ready", 204), application.log());
        BOOST_TEST(lacks() == 0);

        // Nobody asks for what is in it.
        rename("RENAME TABLE articles_tags_links TO kept_links");
        BOOST_TEST(application.responds("/_ready", 503), application.log());
        auto const refusal = application.get("/_ready");
        BOOST_TEST(refusal.body.find("lacks tables or columns") != std::string::npos, refusal.body);
        BOOST_TEST(refusal.body.find("_links") == std::string::npos, refusal.body);
        BOOST_TEST(lacks() >= 1);
        BOOST_TEST(application.get("/api/articles?populate=tags").status == 200);

        rename("RENAME TABLE kept_links TO articles_tags_links");
        BOOST_TEST(application.responds("/_ready", 204), application.log());
        BOOST_TEST(lacks() == 0);
        auto const log = application.log();
        auto const told = log.find("the database lacks");
        BOOST_TEST_REQUIRE(told != std::string::npos, log);
        auto const named = log.find("table `articles_tags_links` does not exist", told);
        BOOST_TEST(named < log.find('\n', told), log);
        BOOST_TEST(log.find("the database lacks", told + 1) == std::string::npos, "once: " << log);
    }
    if (!has_cms) rename("RENAME TABLE kept_schema TO strapi_database_schema");
}

BOOST_AUTO_TEST_CASE(a_missing_table_is_reported_by_readiness_log_and_metric_until_it_is_back) {
    check_missing_table(true);
    check_missing_table(false);
}

BOOST_AUTO_TEST_CASE(metrics_are_at_no_other_place) {
    Scraped const scraped;
    for (auto const path : {"/metrics", "/_metrics", "/api/metrics"})
        BOOST_TEST(scraped.application.get(path).status == 404);
    BOOST_TEST(ask_metrics("GET / HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 "));
    BOOST_TEST(ask_metrics("POST /metrics HTTP/1.1\r\n\r\n").starts_with("HTTP/1.1 404 "));
}

// A line of the response's head, without its end.
std::string status_line(std::string const& request) {
    auto const response = ask_metrics(request);
    return response.substr(0, response.find("\r\n"));
}

std::string get(std::string const& path) {
    return "GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n";
}

BOOST_AUTO_TEST_CASE(probes_over_http_are_answered_as_over_fastcgi) {
    {
        Scraped const scraped(with({"--openapi-route=true", "--explain-route=true"}));
        BOOST_TEST_REQUIRE(scraped.application.responds("/_ready", 204), scraped.application.log());
        for (std::string const path : {"/_health", "/_ready", "/_ready?from=kubelet", "/_READY/"}) {
            BOOST_TEST(status_line(get(path)) == "HTTP/1.1 204 No Content", path);
            BOOST_TEST(status_line("HEAD " + path + " HTTP/1.1\r\n\r\n") ==
                           "HTTP/1.1 204 No Content",
                       path);
        }
        BOOST_TEST(status_line("GET /_health HTTP/1.0\r\n\r\n") == "HTTP/1.1 204 No Content");
        BOOST_TEST(status_line("POST /_ready HTTP/1.1\r\n\r\n") ==
                   "HTTP/1.1 405 Method Not Allowed");
        for (std::string const path : {"/api/tags", "/_openapi", "/_explain/api/tags"})
            BOOST_TEST(status_line(get(path)) == "HTTP/1.1 404 Not Found", path);
    }
    Scraped const waiting(without_database({}));
    BOOST_TEST_REQUIRE(waiting.application.responds("/_health", 204));
    BOOST_TEST(status_line(get("/_health")) == "HTTP/1.1 204 No Content");
    auto const response = ask_metrics(get("/_ready"));
    BOOST_TEST(response.starts_with("HTTP/1.1 503 Service Unavailable\r\n"), response);
    auto const body = json::parse(response.substr(response.find("\r\n\r\n") + 4));
    BOOST_TEST(body.at("error").at("message") ==
               "Not ready: the database does not answer, or answers too late");
    BOOST_TEST(waiting.application.log().find("database error 2002") != std::string::npos);
}

BOOST_AUTO_TEST_CASE(probes_are_answered_in_time_while_all_workers_are_busy) {
    constexpr auto acquire_timeout = std::chrono::seconds(3);
    Scraped const scraped(with({"--workers=2", "--connections=2", "--acquire-timeout=3s",
                                "--statement-timeout=1m", "--request-timeout=1m"}));
    auto const& application = scraped.application;
    std::string const path = "/api/tags?filters[id]=";
    BOOST_TEST_REQUIRE(application.responds(path + "0", 200), application.log());
    BOOST_TEST(eventually([&] { // until that they are cheap is known
        application.get(path + "0");
        return scraped.samples()["populate_request_costs_total{cost=\"cheap\"}"] >= 1;
    }));
    auto const owner = server::open_owner();
    server::command(*owner, db::SqlPiece("LOCK TABLES tags WRITE"));
    std::vector<fastcgi::Client> clients;
    for (int i = 1; i <= 2; ++i) {
        clients.push_back(application.connect());
        clients.back().send(fastcgi::request(fastcgi::get(path + std::to_string(i))));
    }
    BOOST_TEST(eventually([&] {
        auto now = scraped.samples();
        return now["populate_connections_open"] == 2 && now["populate_connections_idle"] == 0;
    }));
    auto ready = fastcgi::Client::connect(metrics_address());
    ready.send(get("/_ready"));
    auto const begun = std::chrono::steady_clock::now();
    BOOST_TEST(status_line(get("/_health")) == "HTTP/1.1 204 No Content");
    BOOST_TEST(scraped.samples().contains("populate_shared_requests_total"));
    BOOST_TEST((std::chrono::steady_clock::now() - begun < acquire_timeout),
               "no longer than it takes to see that there is no connection");
    std::array<char, 12> status;
    BOOST_TEST(::recv(ready.socket(), status.data(), status.size(), MSG_WAITALL) == 12);
    BOOST_TEST(std::string_view(status.data(), status.size()) == "HTTP/1.1 503");
    server::command(*owner, db::SqlPiece("UNLOCK TABLES"));
    for (auto& client : clients)
        BOOST_TEST(client.read_response().status == 200);
    BOOST_TEST(
        eventually([&] { return status_line(get("/_ready")) == "HTTP/1.1 204 No Content"; }));
}

BOOST_AUTO_TEST_CASE(a_scraper_that_says_nothing_is_left_soon) {
    Scraped const scraped;
    auto silent = fastcgi::Client::connect(metrics_address());
    silent.send("GET /met");
    BOOST_TEST(scraped.samples().contains("populate_shared_requests_total"));
    for (auto const& garbage : {std::string(100'000, 'x'), std::string("\0\xFF\r\n\r\n", 6)})
        ask_metrics(garbage);
    BOOST_TEST(scraped.application.get("/_health").status == 204);
}

BOOST_AUTO_TEST_CASE(those_who_say_nothing_keep_no_other_waiting) {
    Scraped const scraped;
    BOOST_TEST_REQUIRE(scraped.application.responds("/_health", 204));
    std::vector<fastcgi::Client> silent;
    for (int i = 0; i < 100; ++i)
        silent.push_back(fastcgi::Client::connect(metrics_address()));
    auto const begun = std::chrono::steady_clock::now();
    BOOST_TEST(scraped.samples().contains("populate_shared_requests_total"));
    // Each of them alone would be waited for two seconds.
    BOOST_TEST((std::chrono::steady_clock::now() - begun < std::chrono::seconds(20)));
}

BOOST_AUTO_TEST_SUITE_END()
